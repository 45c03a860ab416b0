"""The file in which `register` and `init` store an agent."""

from __future__ import annotations

import json
import os
from typing import Callable

from ..settings import ACCOUNT_FILE, Account
from .exit_codes import UsageError


def keep_account(register: Callable[[], Account], folder: str = "") -> Account:
    """Stores the account that `register` returns in a file that only its owner may read.

    The file is created first: the service returns a key once, so it must not be lost.
    """
    path = os.path.join(folder, ACCOUNT_FILE)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        message = f"{path} already has an agent: move the file away, or register in another folder."
        raise UsageError(message) from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        try:
            account = register()
            file.write(json.dumps(account, indent=2) + "\n")
            return account
        except BaseException:
            os.unlink(path)
            raise
