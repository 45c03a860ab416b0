"""Thresholds of questions from past hours."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Optional, Sequence

from ..assets import ASSETS
from ..decimals import decimal, round_half_away, shortest
from .candle import Candle, return_of
from .question import Hour
from .types import USUAL_BREADTH, Level

HISTORY_HOURS = 7 * 24
"""Past hours of a threshold."""

_MIN_HOURS = 24
_SMALLEST_PCT = Fraction(1, 100)


def threshold_of(level: Level, subject: str, direction: Optional[str], history: Sequence[Hour]) -> str:
    """A threshold at a quantile of past sizes, with the sign of the direction."""
    sizes = [_sized(level.size, hour[subject], direction) for hour in history if subject in hour]
    if len(sizes) < _MIN_HOURS:
        pct = level.usual_pct[ASSETS.index(subject)]
    else:
        pct = readable_pct(sorted(sizes)[len(sizes) * level.below // 100][1])
    return f"-{pct}" if direction == "down" else pct


@lru_cache(maxsize=1 << 14)
def _sized(size, candle: Candle, direction: Optional[str]):  # type: ignore[no-untyped-def]
    """The nearest double of the size, then the size. Both have the same order, and doubles compare faster."""
    exact = size(candle, direction)
    return float(exact), exact


def count_of(history: Sequence[Hour]) -> int:
    """The n for which "at least n assets rose" was true in the share of past hours nearest to one half."""
    counts = [risers(hour) for hour in history if len(hour) == len(ASSETS)]
    if len(counts) < _MIN_HOURS:
        return USUAL_BREADTH
    return min(
        range(1, len(ASSETS) + 1),
        key=lambda n: abs(2 * sum(1 for count in counts if count >= n) - len(counts)),
    )


def risers(hour: Hour) -> int:
    """The number of assets with a return above 0."""
    return sum(1 for asset in ASSETS if return_of(hour[asset]) > 0)


def readable_pct(value: Fraction) -> str:
    """A fraction as percent with two significant digits, at least 0.01: 0.003456 is `"0.35"`."""
    size = max(value * 100, _SMALLEST_PCT)
    unit = Fraction(1, 1000)
    while size >= unit * 100:
        unit *= 10
    return shortest(decimal(round_half_away(size / unit, 0)) * unit)
