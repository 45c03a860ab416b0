"""`receipt`."""

from __future__ import annotations

from ..types import Submission
from .command import Command, Context, whole_number
from .output import Output


def _receipt(context: Context) -> None:
    given, output = context.given, context.output
    receipt = context.connect().receipt(whole_number("PREDICTION", given.prediction, 1, 2**53 - 1))
    place = receipt.verify(leaf=given.leaf, keys=None if given.key is None else [given.key])
    output.json({**receipt.proof, "verified": place is not None})
    output.line(receipt.leaf.rstrip("\n"))
    output.line(f"leaf hash {receipt.proof['leaf_hash']}")
    if place is None:
        output.line("The log does not have it yet: its round has not closed, or closed before the log began.")
    else:
        output.line(f"The log {place.origin} has it: leaf {place.index} of {place.size}, under a signed checkpoint.")


def show_receipt(submission: Submission, output: Output) -> None:
    """Prints the command that verifies a submission later."""
    if "leaf_hash" in submission:
        output.line(f"Its receipt: hourcast receipt {submission['prediction']['id']} --leaf {submission['leaf_hash']}")


RECEIPT = Command(
    name="receipt",
    about="verifies that the log has the leaf of your prediction; with --leaf, the leaf that you got for your answer",
    arguments=(
        ("prediction", {"metavar": "PREDICTION", "help": "the id of the prediction"}),
        ("--leaf", {"metavar": "HASH", "help": "what predict or watch printed; otherwise it is not compared"}),
        ("--key", {"metavar": "KEY", "help": "the key of the log; otherwise those that the service names"}),
    ),
    needs_key=True,
    run=_receipt,
)
