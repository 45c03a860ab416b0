"""`predict`."""

from __future__ import annotations

import math
import re

from ..client import Client
from ..types import CurrentRound, Round
from .command import Command, Context, whole_number
from .exit_codes import NoKeyError, UsageError
from .figures import in_short
from .outcomes import outcome_line, outcome_of
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
    # The feed is opened before the answer is sent, so the end of its round is not missed.
    feed = client.events(heartbeats=True)
    is_awaited = given.wait and not given.dry_run
    if is_awaited:
        next(feed)
    submission = client.predict(
        round_id, prediction, confidence, dry_run=given.dry_run, rationale=given.rationale, model=given.model
    )
    told = "would be taken" if given.dry_run else "is taken"
    answer = output.paint("bold", f"{prediction}, {confidence} %")
    output.line(f"{answer} {told} in round {round_id}: {in_short(round_['question'])}")
    show_receipt(submission, output)
    if not is_awaited:
        output.json(submission)
        return
    output.progress(f"Waiting for the end of round {round_id}")
    for event in feed:
        if event["round_id"] == round_id and event["kind"] in ("ROUND_RESOLVED", "ROUND_VOID"):
            # The feed outlasts an outage at the full hour, and so does this.
            outcome = outcome_of(context.connect(patience=math.inf), round_id)
            output.json({**submission, "outcome": outcome})
            output.line(outcome_line(outcome, output))
            break


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
