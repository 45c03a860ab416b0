"""Answers a round with what the caller's program prints."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from typing import Any, Dict, Optional

from ..client import Client
from ..errors import HourcastError
from ..types import Clock
from .answer_program import ProgramFailed, run_program
from .figures import in_short
from .output import Output
from .receipt import show_receipt
from .service_clock import seconds_of

_LONGEST_WAIT_SECONDS = 15.0


@dataclass(frozen=True)
class Answering:
    """Answers rounds with the caller's program, at a minute of the hour or at once."""

    client: Client
    command: str
    minute: Optional[int]
    output: Output
    ending: threading.Event


def answer_round(round_: Any, answering: Answering) -> bool:
    """Answers a round at its minute. True if the service then has an answer of the agent.

    Reports an error. Returns False for one of the program; a `HourcastError` is raised again.
    """
    output, client, round_id = answering.output, answering.client, round_["id"]
    try:
        clock = _wait_for_minute(round_, answering)
        if any(one["round_id"] == round_id for one in client.me()["recent_predictions"]):
            output.note(f"Round {round_id} is already answered.")
            return True
        answer = _ask_program(round_, clock, answering)
        if answer is None:
            output.note(f"Round {round_id}: the program gave no answer.")
            return False
        submission = client.predict(round_id, **answer)
        kept = {"id": submission["prediction"]["id"], "leaf_hash": submission.get("leaf_hash")}
        output.json({"event": "answer", "round_id": round_id, **answer, **kept})
        told = output.paint("bold", f"{answer['prediction']}, {answer['confidence']} %")
        output.line(f"Round {round_id}: {told}. {in_short(round_['question'])}")
        show_receipt(submission, output)
        return True
    except (HourcastError, ProgramFailed) as error:
        if answering.ending.is_set():
            return False
        report_failure(output, round_id, "is not answered", error)
        if isinstance(error, HourcastError):
            raise
        return False


def report_failure(output: Output, round_id: int, what: str, error: Exception) -> None:
    code = error.code if isinstance(error, HourcastError) else "no_answer"
    output.json({"event": "failure", "round_id": round_id, "error": str(error), "code": code})
    output.note(f"Round {round_id} {what}: {error}")


def _wait_for_minute(round_: Any, answering: Answering) -> Clock:
    """Returns the service's clock, at once if the minute of the round's hour is over or the watch ends."""
    due = seconds_of(round_["starts_at"]) + (answering.minute or 0) * 60
    while True:
        # Read again: the machine may sleep meanwhile, and the service may have another speed since a restart.
        clock = answering.client.health()["clock"]
        seconds = (due - seconds_of(clock["now"])) / clock["speed"]
        if seconds <= 0 or answering.ending.wait(min(seconds, _LONGEST_WAIT_SECONDS)):
            return clock


def _ask_program(round_: Any, clock: Clock, answering: Answering) -> Any:
    """The program gets the round, the prices and their probabilities."""
    client = answering.client
    current = client.current_round()
    if current["round"] is None or current["round"]["id"] != round_["id"]:
        raise ProgramFailed("the round ended before the program's minute")
    reference = client.reference(round_["id"])["reference"]
    given: Dict[str, Any] = {**current, "market": client.market(), "reference": reference[-1]["probabilities"] if reference else []}
    timeout = current["time_remaining_seconds"] / clock["speed"]
    return run_program(answering.command, json.dumps(given, separators=(",", ":")), timeout, answering.ending)
