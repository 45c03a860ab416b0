"""Decides winners on exact values."""

from __future__ import annotations

from fractions import Fraction
from typing import Callable, Dict, Optional, Tuple

from ..decimals import decimal
from .candle import Candle, excursion_of, high_of, low_of, return_of
from .question import Hour, Params, Question
from .thresholds import risers
from .types import BOOLEANS, CHOICES

TIE = "tie"
NO_PRICES = "no_prices"


def candles_needed(question_type: str) -> bool:
    """The candles of the hour before decide as well."""
    row = BOOLEANS.get(question_type)
    return row is not None and row.hour_before


def outcome_of(question: Question, candles: Hour, before: Hour) -> Tuple[Optional[str], Optional[str]]:
    """The winning answer and None, or None and the reason: `no_prices` or `tie`."""
    hours = [candles, before] if candles_needed(question.question_type) else [candles]
    if any(asset not in hour for hour in hours for asset in question.assets):
        return None, NO_PRICES
    choice = CHOICES.get(question.question_type)
    if choice is None:
        measured, bound = _MEASURED[question.question_type](question, candles, before)
        return ("YES" if _holds(question.params.operator, measured, bound) else "NO"), None
    figures = {asset: choice.figure(candles[asset]) for asset in question.assets}
    best = max(figures.values()) if choice.wins == "highest" else min(figures.values())
    winners = [asset for asset, figure in figures.items() if figure == best]
    return (winners[0], None) if len(winners) == 1 else (None, TIE)


def _holds(operator: Optional[str], measured: Fraction, bound: Fraction) -> bool:
    if operator == ">":
        return measured > bound
    if operator == ">=":
        return measured >= bound
    if operator == "<=":
        return measured <= bound
    if operator == "within":
        return abs(measured) <= bound
    return _sign(measured) == _sign(bound)


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _own(question: Question, candles: Hour) -> Candle:
    return candles[question.params.subject or ""]


def _threshold(params: Params) -> Fraction:
    return decimal(params.threshold_pct or "") / 100


def _reach(question: Question, candles: Hour) -> Fraction:
    candle = _own(question, candles)
    return low_of(candle) if _threshold(question.params) < 0 else high_of(candle)


def _mean(question: Question, candles: Hour) -> Fraction:
    return sum((return_of(candles[asset]) for asset in question.assets), Fraction(0)) / len(question.assets)


_Measure = Callable[[Question, Hour, Hour], Tuple[Fraction, Fraction]]

_MEASURED: Dict[str, _Measure] = {
    "direction": lambda q, now, _: (return_of(_own(q, now)), Fraction(0)),
    "threshold": lambda q, now, _: (return_of(_own(q, now)), _threshold(q.params)),
    "touch": lambda q, now, _: (_reach(q, now), _threshold(q.params)),
    "magnitude": lambda q, now, _: (abs(return_of(_own(q, now))), _threshold(q.params)),
    "range": lambda q, now, _: (excursion_of(_own(q, now)), _threshold(q.params)),
    "momentum": lambda q, now, before: (return_of(_own(q, now)), return_of(_own(q, before))),
    "beat_market": lambda q, now, _: (return_of(_own(q, now)), _mean(q, now)),
    "breadth": lambda q, now, _: (Fraction(risers(now)), Fraction(q.params.n or 0)),
}
"""The measured value, and the value to compare it with."""
