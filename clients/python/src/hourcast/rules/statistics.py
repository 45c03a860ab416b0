"""The certainty of a mean, and a record's luck."""

from __future__ import annotations

import math
from typing import List, NamedTuple, Optional, Sequence, Tuple

from .floats import total
from .special_functions import STUDENT_MIN_FREEDOM, normal_cdf, student975

INTERVAL_MIN_ROUNDS = STUDENT_MIN_FREEDOM + 1
"""The minimum number of figures for an interval."""


class Sums(NamedTuple):
    """The count, the sum and the sum of squares of n figures."""

    n: int
    sum: float
    square_sum: float


class MeanInterval(NamedTuple):
    mean: float
    low: float
    high: float
    n: int


def mean_interval(sums: Sums) -> Optional[MeanInterval]:
    """The mean and its 95 % interval; None below `INTERVAL_MIN_ROUNDS`."""
    if sums.n < INTERVAL_MIN_ROUNDS:
        return None
    mean = sums.sum / sums.n
    reach = student975(sums.n - 1) * _standard_error(sums)
    return MeanInterval(mean, mean - reach, mean + reach, sums.n)


def _standard_error(sums: Sums) -> float:
    spread = sums.square_sum - (sums.sum * sums.sum) / sums.n
    return 0.0 if spread <= 1e-12 * sums.square_sum else math.sqrt(spread / (sums.n - 1) / sums.n)


def luck_of_wins(wins: int, rounds: Sequence[Tuple[int, int]]) -> float:
    """The share of guessers who would have won less in the same rounds; `rounds` has numbers of answers, and the number of rounds with each."""
    chances, start = [1.0], 0
    for choice_count, n in rounds:
        if n > 0:
            other_start, other = _binomial(n, 1 / choice_count)
            chances, start = _sum_of_both(chances, other), start + other_start
    below = total(chances[: max(0, wins - start)])
    at = chances[wins - start] if 0 <= wins - start < len(chances) else 0.0
    return min(1, below + at / 2)


_REACH_DEVIATIONS, _REACH_UNITS = 10, 40


def _binomial(n: int, p: float) -> Tuple[int, List[float]]:
    reach = math.ceil(_REACH_DEVIATIONS * math.sqrt(n * p * (1 - p))) + _REACH_UNITS
    middle = math.floor((n + 1) * p)
    first, last = max(0, middle - reach), min(n, middle + reach)
    odds = p / (1 - p)
    chances = [0.0] * (last - first + 1)
    chance = 1.0
    for hits in range(middle, last + 1):
        chances[hits - first] = chance
        chance *= ((n - hits) / (hits + 1)) * odds
    chance = 1.0
    for hits in range(middle, first, -1):
        chance *= hits / (n - hits + 1) / odds
        chances[hits - 1 - first] = chance
    all_ = total(chances)
    return first, [value / all_ for value in chances]


def _sum_of_both(left: Sequence[float], right: Sequence[float]) -> List[float]:
    chances = [0.0] * (len(left) + len(right) - 1)
    for at, one in enumerate(left):
        for beyond, other in enumerate(right):
            chances[at + beyond] += one * other
    return chances


def pnl_chance(won: int, lost: int, choice_count: int) -> Tuple[float, float]:
    """Mean and variance of a prediction's P&L in cents if its answer wins with chance 1 / k."""
    spread = won - lost
    p = 1 / choice_count
    return lost + spread * p, spread * spread * p * (1 - p)


def luck_of_pnl(pnl: float, mean: float, variance: float) -> float:
    """The share of guessers who would have earned less with the same confidences; 0.5 where nothing was at risk."""
    return normal_cdf((pnl - mean) / math.sqrt(variance)) if variance > 0 else 0.5
