"""Each hour's question: a function of the hour, and of the prices of the week before."""

from __future__ import annotations

from datetime import datetime, timezone
from itertools import combinations
from typing import NamedTuple, Optional, Sequence, Tuple

from ..assets import ASSETS
from .question import Hour, Params, Question
from .thresholds import count_of, threshold_of
from .types import BOOLEANS, CHOICES, text_of

_ROTATION = (
    "direction",
    "relative",
    "threshold",
    "best_performer",
    "magnitude",
    "volatility",
    "touch",
    "breadth",
    "momentum",
    "podium",
    "range",
    "worst_performer",
    "beat_market",
)
_PAIRS = tuple(combinations(ASSETS, 2))
_FOURSOMES = tuple(combinations(ASSETS, 4))
_DIRECTIONS = ("up", "down")


class Plan(NamedTuple):
    """An hour's question before its thresholds, which need prices."""

    question_type: str
    subject: Optional[str]
    assets: Tuple[str, ...]
    direction: Optional[str]


def plan_of(hour_start: datetime) -> Plan:
    """The question of the hour that starts then."""
    number = int(hour_start.astimezone(timezone.utc).timestamp()) // 3600
    cycle, slot = divmod(number, len(_ROTATION))
    question_type = _ROTATION[slot]
    row = CHOICES.get(question_type) or BOOLEANS[question_type]
    direction = None
    if question_type in BOOLEANS and BOOLEANS[question_type].is_directed:
        direction = _DIRECTIONS[(cycle + cycle // len(ASSETS) ** 2 + slot // 2) % 2]
    if row.about == "pair":
        return Plan(question_type, None, _PAIRS[_turn(_PAIRS, 15, cycle, slot)], direction)
    if row.about == "foursome":
        return Plan(question_type, None, _FOURSOMES[_turn(_FOURSOMES, 11, cycle, slot)], direction)
    if row.about == "all":
        return Plan(question_type, None, ASSETS, direction)
    subject = ASSETS[_turn(ASSETS, 1, cycle, slot)]
    return Plan(question_type, subject, (subject,) if row.about == "one" else ASSETS, direction)


def _turn(items: Sequence[object], step: int, cycle: int, slot: int) -> int:
    """The index of the item for this turn. Each item comes once in as many cycles as there are items, `step` apart."""
    length = len(items)
    return ((cycle % length) * step + cycle // length + slot // 2) % length


def history_needed(plan: Plan) -> Tuple[str, ...]:
    """The assets whose candles of the last 7 days set the question's numbers."""
    row = BOOLEANS.get(plan.question_type)
    return () if row is None or (row.level is None and not row.counts) else plan.assets


def question_of(plan: Plan, hour_start: datetime, history: Sequence[Hour]) -> Question:
    """The question of that hour; `history` has the candles of each past hour that has any."""
    choice = CHOICES.get(plan.question_type)
    params = Params(subject=plan.subject)
    if choice is not None:
        text = text_of(choice.text, plan.assets, params, hour_start)
        return Question(plan.question_type, "choice", text, plan.assets, plan.assets, params)
    row = BOOLEANS[plan.question_type]
    operator = row.operator if row.operator != "level" else "<=" if plan.direction == "down" else ">="
    threshold = None
    if row.level is not None and plan.subject is not None:
        threshold = threshold_of(row.level, plan.subject, plan.direction, history)
    params = Params(plan.subject, operator, threshold, count_of(history) if row.counts else None)
    text = text_of(row.text, plan.assets, params, hour_start)
    return Question(plan.question_type, "boolean", text, ("YES", "NO"), plan.assets, params)
