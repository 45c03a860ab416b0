"""`doctor`."""

from __future__ import annotations

from typing import Iterator, List

from ..client import Client
from .checks import (
    Check,
    check_agent,
    check_budgets,
    check_clock,
    check_feed,
    check_market,
    check_reach,
    check_round,
    check_version,
    checked,
)
from .command import Command, Context
from .exit_codes import DONE, FAILED, KEY, UNREACHABLE

_NAME_WIDTH = 8
_MARKS = {"ok": "ok  ", "warning": "note", "failed": "FAIL"}
_COLOURS = {"ok": "green", "warning": "yellow", "failed": "red"}


def _doctor(context: Context) -> int:
    """Runs every check; a failed one prints its remedy."""
    output = context.output
    # The doctor must report an unavailable service, not fail.
    client = context.connect(patience=0) if context.given.patience is None else context.connect()
    checks: List[Check] = []
    for check in _checks(client, context):
        checks.append(check)
        mark = output.paint(_COLOURS[check.state], _MARKS[check.state])
        output.line(f"{mark} {check.name.ljust(_NAME_WIDTH)} {check.detail}")
    failed = {check.name for check in checks if check.state == "failed"}
    output.idle()
    output.json({"ok": not failed, "checks": [check._asdict() for check in checks]})
    if "reach" in failed:
        return UNREACHABLE
    if "key" in failed:
        return KEY
    return FAILED if failed else DONE


def _checks(client: Client, context: Context) -> Iterator[Check]:
    context.output.progress(f"Asking {client.url}")
    reached = check_reach(client)
    yield reached.check
    if reached.health is None:
        return
    yield check_version(reached.health, context.version)
    yield check_clock(reached.health, reached.local)
    health = reached.health
    yield checked("market", lambda: check_market(health, client.market()))
    checks, profile = check_agent(client, context.has_key)
    yield from checks
    context.output.progress("Following the feed")
    yield checked("feed", lambda: check_feed(client))
    yield checked("round", lambda: check_round(client.current_round(), profile))
    yield check_budgets(client.budgets())


DOCTOR = Command(
    name="doctor",
    about="checks the service, its clock, prices and feed, your key and whether you have answered",
    run=_doctor,
)
