"""A command, and its context."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any, Callable, Optional, Tuple

from ..client import Client
from .exit_codes import UsageError
from .output import Output


@dataclass(frozen=True)
class Context:
    """A command's context: a client of the chosen service, and the options of the call."""

    connect: Callable[..., Client]
    has_key: bool
    given: argparse.Namespace
    output: Output
    version: str


@dataclass(frozen=True)
class Command:
    """A command of the command line.

    arguments: Names and settings of its options, as `argparse` takes them.
    run: Returns the exit code, unless it is 0.
    """

    name: str
    about: str
    run: Callable[[Context], Optional[int]]
    arguments: Tuple[Tuple[str, Any], ...] = ()
    needs_key: bool = False


def whole_number(name: str, text: str, low: int, high: int) -> int:
    """Parses a number. Raises `UsageError` for any other text."""
    if text.isascii() and text.isdigit() and low <= int(text) <= high:
        return int(text)
    raise UsageError(f"{name} must be a whole number from {low} to {high} (got {text}).")
