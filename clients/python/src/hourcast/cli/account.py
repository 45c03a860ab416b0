"""An agent of a service, as `register` keeps it in the folder that it is called in."""

from __future__ import annotations

import json
import os
from typing import Callable, Dict, Optional

from .exit_codes import UsageError

ACCOUNT_FILE = "hourcast.json"

Account = Dict[str, str]
"""`url`, `agent` and `key`."""


def kept_account() -> Optional[Account]:
    """The account of this folder; None without one."""
    try:
        with open(ACCOUNT_FILE, encoding="utf-8") as file:
            account = json.load(file)
            return {name: str(account[name]) for name in ("url", "agent", "key")}
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f'{ACCOUNT_FILE} must be what "register" wrote: {error!r}.') from error


def keep_account(register: Callable[[], Account]) -> Account:
    """Keeps the account that `register` returns in a file which its owner alone may read.

    The file is made first: a key is shown once, and must not be lost.
    """
    try:
        descriptor = os.open(ACCOUNT_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        message = f"{ACCOUNT_FILE} keeps an agent already: move it away, or register in another folder."
        raise UsageError(message) from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        try:
            account = register()
            file.write(json.dumps(account, indent=2) + "\n")
            return account
        except BaseException:
            os.unlink(ACCOUNT_FILE)
            raise
