"""The file in which `register` and `init` store an agent."""

from __future__ import annotations

import json
import os
from typing import Optional

from ..client import Client
from ..settings import ACCOUNT_FILE, Account
from ..types import AgentMode
from .exit_codes import UsageError


def register(client: Client, name: str, *, mode: Optional[AgentMode] = None, folder: str = "") -> Account:
    """Registers an agent, and stores its account in a file that only its owner may read.

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
            registration = client.register(name, mode=mode)
            account = {"url": client.url, "agent": registration["agent"]["name"], "key": registration["api_key"]}
            file.write(json.dumps(account, indent=2) + "\n")
            # A full disk refuses it here or at the end of the block.
            file.flush()
            return account
        except BaseException:
            os.unlink(path)
            raise
