"""`record`."""

from __future__ import annotations

from ..records import verify_record
from .command import Command, Context
from .exit_codes import UsageError


def _record(context: Context) -> None:
    given, output = context.given, context.output
    if given.action != "verify":
        raise UsageError(f"The first word must be verify (got {given.action}).")
    try:
        with open(given.file, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"FILE must be a readable file: {error}.") from None
    record = verify_record(text, key=given.key)
    output.json({**record, "key_given": given.key is not None})
    edge = record["edge"]
    margin = "" if edge is None or edge["low"] is None else f" ({edge['low']} to {edge['high']})"
    output.line(
        f"{record['name']}, {record['period']}: {record['rounds']} rounds, {record['points']} points, "
        f"edge {'none' if edge is None else edge['mean']}{margin}"
    )
    output.line(
        f"rules version {record['rules_version']}, signed at {record['signed_at']} by {record['signed_by']} "
        f"of {record['origin']}"
    )
    if given.key is None:
        output.note("The key is that of the file: compare it with the one of the service.")


RECORD = Command(
    name="record",
    about="verifies a record.json, an agent's figures that a service signed; calls no service",
    arguments=(
        ("action", {"metavar": "verify", "help": "the only action"}),
        ("file", {"metavar": "FILE", "help": "the file"}),
        ("--key", {"metavar": "KEY", "help": "the key of the service, whpk_...; otherwise that of the file"}),
    ),
    run=_record,
)
