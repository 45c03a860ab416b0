"""The service's time."""

from __future__ import annotations

from datetime import datetime


def seconds_of(instant: str) -> float:
    """In seconds since 1970, of an instant with its zone."""
    # Python parses the Z only since 3.11.
    return datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp()
