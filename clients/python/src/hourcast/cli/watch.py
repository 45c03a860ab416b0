"""`watch`."""

from __future__ import annotations

import threading
from concurrent.futures import Future, wait
from queue import Queue
from typing import Any, Callable, Dict

from ..errors import HourcastError
from .answer_round import Answering, answer_round, report_failure
from .command import Command, Context, whole_number
from .exit_codes import DONE, FAILED, UsageError
from .outcomes import outcome_line, outcome_of

_FINAL = (401, 403)
"""Refusals that the next round would meet too."""
_ENDING_SECONDS = 2.0


def _watch(context: Context) -> int:
    given, output = context.given, context.output
    if given.answer is None:
        raise UsageError("--answer must name a program, such as --answer './bot'.")
    minute = None if given.at is None else whole_number("--at", given.at, 0, 59)
    rounds = float("inf") if given.rounds is None else whole_number("--rounds", given.rounds, 1, 1_000_000)
    name = context.connect().me()["agent"]["name"]
    # After a successful start, no outage of the service ends the command.
    client = context.connect(patience=float("inf"))
    output.note(f"{name} watches {client.url}; Ctrl-C ends it.")
    watch = _Watch(Answering(client, given.answer, minute, output, threading.Event()), rounds)
    try:
        return watch.run()
    finally:
        watch.end()


class _Watch:
    """Follows the feed, and answers in other threads: a program may run for most of the hour."""

    def __init__(self, answering: Answering, rounds: float) -> None:
        self._answering = answering
        self._rounds = rounds
        self._answers: Dict[int, Future[bool]] = {}
        self._over = 0
        self._failed = 0
        # Events of the feed, and errors that end the command.
        self._happened: Queue[Any] = Queue()

    def run(self) -> int:
        self._start(self._follow)
        while self._over < self._rounds:
            event = self._happened.get()
            if isinstance(event, BaseException):
                raise event
            if event["kind"] in ("HEARTBEAT", "ROUND_OPENED"):
                self._consider_current()
            if event["kind"] in ("ROUND_RESOLVED", "ROUND_VOID"):
                self._conclude(event["round_id"])
        return FAILED if self._failed > 0 else DONE

    def end(self) -> None:
        """Ends running programs; pending requests end with this process."""
        self._answering.ending.set()
        wait(self._answers.values(), _ENDING_SECONDS)

    def _start(self, target: Callable[..., None], *given: Any) -> None:
        threading.Thread(target=target, args=given, daemon=True).start()

    def _follow(self) -> None:
        try:
            for event in self._answering.client.events(heartbeats=True):
                self._happened.put(event)
        except Exception as error:
            self._happened.put(error)

    def _consider_current(self) -> None:
        try:
            round_ = self._answering.client.current_round()["round"]
        except HourcastError as error:
            if error.status in _FINAL:
                raise
            # The next heartbeat comes soon.
            self._answering.output.note(str(error))
            return
        if round_ is None or round_["id"] in self._answers or len(self._answers) >= self._rounds:
            return
        self._answers[round_["id"]] = Future()
        self._start(self._answer, round_, self._answers[round_["id"]])

    def _answer(self, round_: Any, answer: Future[bool]) -> None:
        try:
            answer.set_result(answer_round(round_, self._answering))
        except Exception as error:
            answer.set_exception(error)
            is_final = isinstance(error, HourcastError) and error.status in _FINAL
            # Nothing can be written any more.
            if is_final or isinstance(error, OSError):
                self._happened.put(error)

    def _conclude(self, round_id: Any) -> None:
        answer = self._answers.get(round_id)
        if answer is None:
            return
        self._over += 1
        if answer.exception() is not None or not answer.result():
            self._failed += 1
            return
        output = self._answering.output
        try:
            outcome = outcome_of(self._answering.client, round_id)
        except (HourcastError, RuntimeError, KeyError, TypeError) as error:
            # Later rounds are still answered.
            self._failed += 1
            report_failure(output, round_id, "has no known outcome", error)
            return
        output.json({"event": "outcome", **outcome})
        output.line(outcome_line(outcome, output))


WATCH = Command(
    name="watch",
    about="answers each round with what a program of yours prints, until Ctrl-C",
    arguments=(
        (
            "--answer",
            {
                "metavar": "COMMAND",
                "help": 'gets the round as JSON on its input; '
                'prints "BTC 60" or {"prediction": "BTC", "confidence": 60}',
            },
        ),
        ("--at", {"metavar": "MINUTE", "help": "of the hour, 0 to 59, at which it is called; otherwise at once"}),
        ("--rounds", {"metavar": "COUNT", "help": "answers this many rounds, and exits when they are over"}),
    ),
    needs_key=True,
    run=_watch,
)
