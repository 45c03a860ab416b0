"""Runs the caller's program, and reads its answer."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
from typing import Any, Dict, Optional

from ..backtest.scored_answer import whole_confidence

Answer = Dict[str, Any]
"""`prediction` and `confidence`; also `rationale` and `model`, where the program gives them."""


class ProgramFailed(Exception):
    """The caller's program gave no answer."""


def run_program(command: str, given: str, timeout: float, ending: threading.Event) -> Optional[Answer]:
    """The program's output as an answer; None for no output, which skips the round.

    Its standard error is shown.
    """
    # A separate process group, so that the processes it started end with it.
    program = subprocess.Popen(
        command,
        shell=True,
        start_new_session=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    done = threading.Event()
    stopping = threading.Thread(target=_stop_at_end, args=(program, ending, done), daemon=True)
    stopping.start()
    try:
        printed, _ = program.communicate(f"{given}\n", timeout=timeout)
    except subprocess.TimeoutExpired:
        _kill(program)
        raise ProgramFailed("the program did not finish before the round ended") from None
    finally:
        done.set()
    if ending.is_set():
        raise ProgramFailed("it was ended")
    if program.returncode != 0:
        raise ProgramFailed(f"the program ended with {_how(program.returncode)}")
    return answer_in(printed)


def _stop_at_end(program: subprocess.Popen[str], ending: threading.Event, done: threading.Event) -> None:
    while not done.wait(0.1):
        if ending.is_set():
            _kill(program)
            return


def _kill(program: subprocess.Popen[str]) -> None:
    try:
        if hasattr(os, "killpg"):
            os.killpg(program.pid, signal.SIGKILL)
        else:
            program.kill()
    except ProcessLookupError:
        # The program has already ended.
        pass
    program.wait()


def _how(code: int) -> str:
    return f"code {code}" if code >= 0 else signal.Signals(-code).name


def answer_in(printed: str) -> Optional[Answer]:
    """The whole output as JSON, or else its last line: programs may print more before it."""
    whole = printed.strip()
    if whole == "":
        return None
    last = whole.splitlines()[-1].strip()
    answer = _as_json(whole) or _as_json(last) or _as_words(last)
    if answer is not None:
        return answer
    raise ProgramFailed(
        'the program\'s last line must be an answer such as BTC 60 or {"prediction": "BTC", "confidence": 60} '
        f"(got {last[:100]})"
    )


def _as_json(printed: str) -> Optional[Answer]:
    try:
        return _as_answer(json.loads(printed))
    except ValueError:
        return None


def answer_of(value: Any) -> Answer:
    """A value that must be an answer."""
    answer = _as_answer(value)
    if answer is not None:
        return answer
    raise ProgramFailed(f'an answer must be such as {{"prediction": "BTC", "confidence": 60}} (got {value})')


def _as_answer(value: Any) -> Optional[Answer]:
    if not isinstance(value, dict):
        return None
    prediction, confidence = value.get("prediction"), whole_confidence(value.get("confidence"))
    is_number = isinstance(confidence, (int, float)) and not isinstance(confidence, bool)
    is_answer = isinstance(prediction, str) and is_number
    words = {name: value[name] for name in ("rationale", "model") if isinstance(value.get(name), str)}
    return {"prediction": prediction, "confidence": confidence, **words} if is_answer else None


def _as_words(line: str) -> Optional[Answer]:
    found = re.fullmatch(r"(\w+)[\s,]+(\d{1,3})(?:\.0+)?\s*%?", line)
    return {"prediction": found[1], "confidence": int(found[2])} if found else None
