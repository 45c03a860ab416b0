"""The service's time, which may run faster than the machine's."""

from __future__ import annotations

import time
from datetime import datetime

from ..client import Client


class ServiceClock:
    def __init__(self, client: Client) -> None:
        asked = time.monotonic()
        clock = client.health()["clock"]
        self._middle = (asked + time.monotonic()) / 2
        self._began = seconds_of(clock["now"])
        self.speed = clock["speed"]

    def now(self) -> float:
        """In seconds since 1970."""
        return self._began + (time.monotonic() - self._middle) * self.speed


def seconds_of(instant: str) -> float:
    """In seconds since 1970, of an instant with its zone."""
    # Python parses the Z only since 3.11.
    return datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp()
