"""`limits`."""

from __future__ import annotations

from .command import Command, Context
from .figures import columns


def _limits(context: Context) -> None:
    output, limits = context.output, context.connect().my_limits()
    output.json(limits)
    if limits["unlimited"]:
        output.line("This service limits no requests.")
        return
    rows = [["budget", "left", "of", "per", "and", "ends in s"]]
    for one in limits["budgets"]:
        window = "minute" if one["window_seconds"] == 60 else "hour"
        ends = str(one["resets_in_seconds"] or "")
        rows.append([one["name"], str(one["remaining"]), str(one["limit"]), window, one["scope"], ends])
    for line in columns(rows):
        output.line(line)


LIMITS = Command(
    name="limits",
    about="shows all budgets of your requests and what is left of them",
    needs_key=True,
    run=_limits,
)
