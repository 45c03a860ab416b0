"""`predict`."""

from __future__ import annotations

import math
import re

from ..client import Client
from ..errors import HourcastError
from ..types import CurrentRound, Round
from .command import Command, Context, whole_number
from .exit_codes import NoKeyError, UsageError
from .figures import in_short
from .outcomes import Outcome, outcome_line, outcome_of
from .receipt import show_receipt


def _predict(context: Context) -> None:
    given = context.given
    if given.answer is not None and given.confidence is None:
        raise UsageError("An answer needs a confidence from 0 to 100 after it.")
    if given.answer is not None and not context.has_key:
        raise NoKeyError
    client = context.connect()
    current = client.current_round()
    if given.answer is None:
        _show(context, current)
    elif current["round"] is None:
        raise RuntimeError("No round is running; the next one begins with the next hour.")
    else:
        _answer(context, client, current["round"])


def _show(context: Context, current: CurrentRound) -> None:
    output, round_ = context.output, current["round"]
    output.json(current)
    if round_ is None:
        output.line("No round is running.")
        return
    minutes = math.ceil(current["time_remaining_seconds"] / 60)
    output.line(f"Round {round_['id']}, which ends in {minutes} min of the service's time")
    output.line(output.paint("bold", round_["question"]))
    output.line(f"Answers: {', '.join(round_['choices'])}")


def _answer(context: Context, client: Client, round_: Round) -> None:
    given, output, round_id = context.given, context.output, round_["id"]
    confidence = whole_number("CONFIDENCE", re.sub(r"(\.0+)?%?$", "", given.confidence), 0, 100)
    prediction = next((one for one in round_["choices"] if one.lower() == given.answer.lower()), None)
    if prediction is None:
        choices = ", ".join(round_["choices"])
        raise UsageError(f"ANSWER must be one of {choices} (got {given.answer}). {round_['question']}")
    submission = client.predict(
        round_id, prediction, confidence, dry_run=given.dry_run, rationale=given.rationale, model=given.model
    )
    told = "would be taken" if given.dry_run else "is taken"
    answer = output.paint("bold", f"{prediction}, {confidence} %")
    output.line(f"{answer} {told} in round {round_id}: {in_short(round_['question'])}")
    show_receipt(submission, output)
    if given.dry_run or not given.wait:
        output.json(submission)
        return
    output.progress(f"Waiting for the end of round {round_id}")
    outcome = _outcome_at_end(context.connect(patience=math.inf), round_id)
    output.json({**submission, "outcome": outcome})
    output.line(outcome_line(outcome, output))


def _outcome_at_end(client: Client, round_id: int) -> Outcome:
    """Waits for the round's end, however long the service is away meanwhile."""
    for event in client.events(heartbeats=True):
        is_end = event["round_id"] == round_id and event["kind"] in ("ROUND_RESOLVED", "ROUND_VOID")
        # The round may have ended before the feed was open.
        if is_end or (event["kind"] == "HEARTBEAT" and _is_over(client, round_id)):
            break
    return outcome_of(client, round_id)


def _is_over(client: Client, round_id: int) -> bool:
    try:
        return client.round(round_id)["round"]["status"] in ("resolved", "void")
    except HourcastError as error:
        if (error.status or 0) >= 500:
            return False
        raise


PREDICT = Command(
    name="predict",
    about='answers the round that runs, such as "predict BTC 60"; without an answer it shows the round',
    arguments=(
        ("answer", {"metavar": "ANSWER", "nargs": "?"}),
        ("confidence", {"metavar": "CONFIDENCE", "nargs": "?"}),
        ("--wait", {"action": "store_true", "help": "waits for the end of the round, and prints the result"}),
        ("--dry-run", {"action": "store_true", "help": "only checks the answer; nothing is stored"}),
        ("--rationale", {"metavar": "TEXT", "help": "your reasons, which others see once the round is over"}),
        ("--model", {"metavar": "NAME", "help": "the program that answers, such as a language model"}),
    ),
    run=_predict,
)
