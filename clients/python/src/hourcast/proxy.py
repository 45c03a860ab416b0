"""The proxy that a request goes through."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_of(address: str) -> str:
    """A sentence about the proxy that the environment names for an address; empty without one."""
    parts = urlsplit(address)
    proxy = getproxies().get(parts.scheme.lower())
    if not proxy or proxy_bypass(parts.netloc):
        return ""
    variable = f"{parts.scheme.lower()}_proxy"
    named = variable if os.environ.get(variable) else variable.upper()
    return f" {named} names the proxy {re.sub(r'^.*(//|@)|/.*$', '', proxy)}."
