"""Sums and roundings of doubles that have the same bits as the service's."""

from __future__ import annotations

import math
from typing import Iterable


def total(values: Iterable[float]) -> float:
    """The sum from the first to the last. `sum` of Python 3.12 or newer carries what is lost on the way, and so has other bits."""
    result = 0.0
    for value in values:
        result += value
    return result


def half_up(value: float) -> int:
    """The nearest whole number, the higher one of two; `round` takes the even one."""
    below = math.floor(value)
    return below + (1 if value - below >= 0.5 else 0)
