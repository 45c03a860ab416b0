"""`export`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import ContextManager, Dict, Optional, TextIO, Tuple

from ..endpoints import EXPORTS
from ..exports import export_lines
from .command import Command, Context
from .exit_codes import UsageError


def _export(context: Context) -> None:
    given, output = context.given, context.output
    filters: Dict[str, str] = dict(_filter(text) for text in given.filter)
    lines = export_lines(context.connect().connection, given.list, filters, given.format)
    output.progress(f"Exporting {given.list}")
    with _opened(given.output) as file:
        count = 0
        for line in lines:
            file.write(f"{line}\n")
            count += 1
            output.progress(f"Exporting {given.list}: {count:,} lines")
        file.flush()
    output.idle()
    if given.output is not None:
        output.note(f"{count:,} lines are in {given.output}.")


def _opened(path: Optional[str]) -> ContextManager[TextIO]:
    """The file, or standard output, which stays open."""
    if path is None:
        return nullcontext(sys.stdout)
    return open(path, "w", encoding="utf-8")


def _filter(text: str) -> Tuple[str, str]:
    name, mark, value = text.partition("=")
    if name and mark:
        return name, value
    raise UsageError(f"--filter must be NAME=VALUE (got {text}).")


EXPORT = Command(
    name="export",
    about="writes a whole list, such as predictions or rounds, and goes on where the stream breaks",
    arguments=(
        ("list", {"metavar": "LIST", "choices": EXPORTS, "help": f"one of {', '.join(EXPORTS)}"}),
        (
            "--format",
            {"choices": ("ndjson", "csv"), "default": "ndjson", "help": "ndjson, an object a line, or csv (ndjson)"},
        ),
        ("--output", {"metavar": "FILE", "help": "where to; otherwise to standard output"}),
        (
            "--filter",
            {
                "metavar": "NAME=VALUE",
                "action": "append",
                "default": [],
                "help": "only rows that match, such as agent=my-bot; may be given several times",
            },
        ),
    ),
    run=_export,
)
