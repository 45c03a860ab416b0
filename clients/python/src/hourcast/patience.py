"""Counts tries, and waits between them."""

from __future__ import annotations

import random
import time
from typing import Callable, Optional

from .errors import HourcastError

OnRetry = Callable[[HourcastError, float], None]
"""Called before each wait, with what went wrong and how many seconds it takes until the next try."""

_FIRST_SECONDS = 0.25
_LONGEST_SECONDS = 8.0
_PASSING = {408, 429, 502, 503, 504}
"""Statuses after which the same request may well succeed."""
_PASSING_CODES = ("unreachable", "timeout", "broken_stream")
"""Failures without an answer that may pass."""


class Patience:
    """The pauses grow, differ between clients, and are never shorter than the service requests."""

    def __init__(self, seconds: float, on_retry: Optional[OnRetry], passing_from: float = float("inf")) -> None:
        self._seconds = seconds
        # Statuses from here on pass, too.
        self._passing_from = passing_from
        self._on_retry = on_retry
        self.progress()

    def progress(self) -> None:
        """Data came: the count of tries and the deadline start again."""
        self._tries = 0
        self._give_up_at = time.monotonic() + self._seconds

    def wait(self, error: HourcastError) -> None:
        """Waits after a try that failed. Raises the error if another try cannot help, or the time for tries is over."""
        if not _is_passing(error, self._passing_from):
            raise error
        self._tries += 1
        pause = _pause(self._tries, error.retry_after)
        if time.monotonic() + pause > self._give_up_at:
            raise error
        if self._on_retry is not None:
            self._on_retry(error, pause)
        time.sleep(pause)


def _is_passing(error: HourcastError, passing_from: float) -> bool:
    if error.status is None:
        return error.code in _PASSING_CODES
    return error.status in _PASSING or error.status >= passing_from


def _pause(tries: int, retry_after: Optional[int]) -> float:
    jitter = random.random()
    if retry_after is not None:
        return retry_after + jitter * _FIRST_SECONDS
    # Not more than what floats hold, however long it goes on.
    doubled: float = _FIRST_SECONDS * 2 ** min(tries - 1, 10)
    return min(doubled, _LONGEST_SECONDS) * (0.5 + jitter / 2)
