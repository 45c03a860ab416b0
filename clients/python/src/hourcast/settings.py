"""The service's address, and the agent's key."""

from __future__ import annotations

import json
import os
import re
from typing import Dict, NamedTuple, Optional
from urllib.parse import urlsplit

from .errors import HourcastError

ACCOUNT_FILE = "hourcast.json"

Account = Dict[str, str]
"""An agent as `register` stores it in the current folder: `url`, `agent` and `key`."""

_LOCAL = "http://127.0.0.1:3000"
_ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?", re.IGNORECASE)
_KEY = re.compile("pk_live_[0-9a-f]{48}")


class Settings(NamedTuple):
    url: str
    key: Optional[str]


def settings_of(url: Optional[str], key: Optional[str]) -> Settings:
    """Defaults come from the environment, then from the folder's account, whose key is for its own service alone.

    Raises `HourcastError` for an invalid address or key; it never contains the key.
    """
    own_key = os.environ.get("HOURCAST_KEY")
    given_url = (os.environ.get("HOURCAST_URL") or None) if url is None else url
    has_key = key is not None or bool(own_key)
    account = None if has_key and given_url is not None else _kept_account()
    address = _address_in((account["url"] if account else _LOCAL) if given_url is None else given_url)
    if key is not None:
        return Settings(address, _key_in(key, ""))
    if own_key:
        return Settings(address, _key_in(own_key, " in HOURCAST_KEY"))
    if account is not None and _address_in(account["url"]) == address:
        return Settings(address, _key_in(account["key"], f" in {ACCOUNT_FILE}"))
    return Settings(address, None)


def _kept_account() -> Optional[Account]:
    """The account of this folder; None without one."""
    try:
        with open(ACCOUNT_FILE, encoding="utf-8") as file:
            account = json.load(file)
        if isinstance(account, dict) and all(isinstance(account.get(name), str) for name in ("url", "agent", "key")):
            return account
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        pass
    message = f'{ACCOUNT_FILE} must hold url, agent and key, as "register" writes them.'
    raise HourcastError(message, "malformed_settings")


def _address_in(text: str) -> str:
    """The address without trailing slashes."""
    url = text.rstrip("/")
    try:
        if _ADDRESS.fullmatch(url) and urlsplit(url).port != 0:
            return url
    except ValueError:
        pass
    raise HourcastError(f"The address must be one such as {_LOCAL} (got {text}).", "malformed_settings")


def _key_in(text: str, place: str) -> Optional[str]:
    if text == "" or _KEY.fullmatch(text):
        return text or None
    message = f"The key must be pk_live_ and 48 hexadecimal digits (got {len(text)} characters{place})."
    raise HourcastError(message, "malformed_key")
