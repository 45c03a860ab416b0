"""Results go to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, Optional

_COLOURS = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33}
_SHOWN_AFTER_SECONDS = 1.0
_TERMINAL_SECONDS = 0.25
_FILE_SECONDS = 10.0
"""Files get progress at this interval only."""
_CLEAR_LINE = "\r\033[K"


class Output:
    def __init__(self, is_json: bool) -> None:
        self.is_json = is_json
        is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty()
        self._has_colours = not is_plain
        self._lock = threading.RLock()
        self._timer: Optional[threading.Timer] = None
        self._doing = ""
        self._shown = ""

    def line(self, text: str = "") -> None:
        """A line of the result for people; nothing with `--json`."""
        if not self.is_json:
            self.raw(text)

    def json(self, value: Any) -> None:
        """A value of the result for programs, in a line; nothing without `--json`."""
        if self.is_json:
            self.raw(json.dumps(value, separators=(",", ":"), ensure_ascii=False))

    def raw(self, text: str) -> None:
        """A line of the result, with and without `--json`."""
        with self._lock:
            self._clear()
            print(text, flush=True)

    def note(self, text: str) -> None:
        """A line about the progress, not part of the result."""
        with self._lock:
            self._clear()
            print(text, file=sys.stderr, flush=True)

    def progress(self, text: str) -> None:
        """Shown for work that takes longer than a second."""
        with self._lock:
            self._doing = text
            if self._timer is None:
                self._show_in(_SHOWN_AFTER_SECONDS)

    def idle(self) -> None:
        """Removes the line of `progress`."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None
            self._clear()

    def paint(self, colour: str, text: str) -> str:
        return f"\033[{_COLOURS[colour]}m{text}\033[0m" if self._has_colours else text

    def _show_in(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if self._timer is None:
                return
            is_terminal = sys.stderr.isatty()
            if self._doing != self._shown:
                sys.stderr.write(_CLEAR_LINE + self._doing if is_terminal else f"{self._doing}\n")
                sys.stderr.flush()
            self._shown = self._doing
            self._show_in(_TERMINAL_SECONDS if is_terminal else _FILE_SECONDS)

    def _clear(self) -> None:
        if self._shown and sys.stderr.isatty():
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()
        self._shown = ""
