"""`standing`."""

from __future__ import annotations

import re
from typing import Any, List, Optional, Sequence, Tuple, get_args

from ..rules import ASSETS
from ..types import QuestionType, StandingPredictions
from .action import Action, command_of
from .command import Context, whole_number
from .exit_codes import UsageError
from .figures import columns

_TYPES: Tuple[str, ...] = get_args(QuestionType)


def _list(context: Context, _words: List[str]) -> None:
    _show(context, context.connect().standing())


def _set(context: Context, words: List[str]) -> None:
    word, answers, text = words
    question_type, asset = _question(context, word)
    confidence = whole_number("CONFIDENCE", re.sub(r"(\.0+)?%?$", "", text), 0, 100)
    row = {
        "question_type": question_type,
        "asset": asset,
        "prediction": answers.upper().split(","),
        "confidence": confidence,
    }
    _replace(context, [*_others(context.connect().standing(), question_type, asset), row])


def _remove(context: Context, words: List[str]) -> None:
    question_type, asset = _question(context, words[0])
    present = context.connect().standing()
    left = _others(present, question_type, asset)
    if len(left) == len(present["rows"]):
        about = f" about {asset}" if asset else ""
        raise RuntimeError(f"You have no standing prediction for {question_type}{about}.")
    _replace(context, left)


def _question(context: Context, word: str) -> Tuple[str, Optional[str]]:
    asset = context.given.asset
    question_type = _one_of("TYPE", _TYPES, word.lower())
    return question_type, None if asset is None else _one_of("--asset", ASSETS, asset.upper())


def _one_of(what: str, names: Sequence[str], given: str) -> str:
    if given in names:
        return given
    raise UsageError(f"{what} must be one of {', '.join(names)} (got {given}).")


def _others(standing: StandingPredictions, question_type: str, asset: Optional[str]) -> List[Any]:
    names = ("question_type", "asset", "prediction", "confidence")
    rows: List[Any] = [row for row in standing["rows"] if (row["question_type"], row["asset"]) != (question_type, asset)]
    return [{name: row[name] for name in names} for row in rows]


def _replace(context: Context, rows: List[Any]) -> None:
    client = context.connect()
    _show(context, client.set_standing(rows) if rows else client.clear_standing())


def _show(context: Context, standing: StandingPredictions) -> None:
    output = context.output
    output.json(standing)
    if not standing["rows"]:
        output.line("You have no standing predictions.")
        return
    rows = [["type", "asset", "answer", "confidence"]]
    for row in standing["rows"]:
        answer: Any = row["prediction"]
        answers = answer if isinstance(answer, str) else ",".join(answer)
        rows.append([row["question_type"], row["asset"] or "any", answers, str(row["confidence"])])
    for line in columns(rows):
        output.line(line)
    output.line(f"They lapse at {standing['lapses_at']}, 7 days after your last request.")


STANDING = command_of(
    "standing",
    "shows or changes the answers that the service gives where you have given none",
    {
        "list": Action("", (0, 0), _list),
        "set": Action("TYPE ANSWER[,ANSWER...] CONFIDENCE [--asset ASSET]", (3, 3), _set),
        "remove": Action("TYPE [--asset ASSET]", (1, 1), _remove),
    },
    (("--asset", {"metavar": "ASSET", "help": "only questions about this asset; otherwise about any"}),),
)
