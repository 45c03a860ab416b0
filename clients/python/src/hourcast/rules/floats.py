"""Sums and roundings of doubles that have the same bits as the service's."""

from __future__ import annotations

import math
from typing import Iterable


def total(values: Iterable[float]) -> float:
    """The sum in order, rounded after each addition. Python's `sum` compensates rounding errors since 3.12, so its bits differ."""
    result = 0.0
    for value in values:
        result += value
    return result


def half_up(value: float) -> int:
    """The nearest whole number, the higher one of two; `round` takes the even one."""
    below = math.floor(value)
    return below + (1 if value - below >= 0.5 else 0)
