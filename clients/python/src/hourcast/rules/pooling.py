"""Weighted means over predictions: of their probabilities, and of their residuals against the price, by group of agents."""

from __future__ import annotations

import math
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .edge import forecast_of, is_settled
from .special_functions import exp, ln
from .statistics import INTERVAL_MIN_ROUNDS, Sums, mean_interval

Means = Mapping[str, Optional[List[float]]]
"""`crowd`, `everybody`, `record`, `contributors`, `best` and `recent` have a number for each answer; None where no prediction counts."""

_BEST = 10
_RECORD_UNITS = 1000
_DOUBTED_ROUNDS = 30
_CLIP_MIN, _CLIP_MAX = 0.01, 0.99


class Given(NamedTuple):
    """The parts of a prediction that a forecast uses."""

    point: int
    """The point of the grid at which it was made."""
    pick_index: int
    confidence: int
    edges: Sums
    """Its agent's edges in the rounds that are decided, in millionths."""


class _Best(NamedTuple):
    low: float
    pick_index: int
    confidence: int
    n: int
    residual: List[float]


class Pooling:
    """The means over all predictions up to a point of the grid."""

    def __init__(self, choice_count: int) -> None:
        self._k = choice_count
        self._means = {name: _Mean(choice_count) for name in ("crowd", "everybody", "record", "contributors", "recent")}
        self._entries = 0
        self._best: List[_Best] = []

    def add_all(self, given: Sequence[Given], references: Sequence[Sequence[float]]) -> None:
        """Adds predictions; `references` has the price's probabilities at each of their points."""
        points: Dict[int, List[Given]] = {}
        for one in given:
            points.setdefault(one.point, []).append(one)
        for point in sorted(points):
            self.add(points[point], references[point])

    def add(self, given: Sequence[Given], reference: Sequence[float]) -> None:
        """Adds all predictions of the next point; `reference` has the price's probabilities there."""
        before = self._entries
        self._entries += len(given)
        self._means["recent"].scale(exp(math.sqrt(before) - math.sqrt(self._entries)))
        alike: Dict[Tuple[int, int], List[int]] = {}
        sure: Dict[Tuple[float, int, int], int] = {}
        for _, pick, confidence, edges in given:
            counts = alike.setdefault((pick, confidence), [0, 0, 0])
            counts[0] += 1
            counts[1] += _record_weight(edges)
            counts[2] += int(edges.sum > 0)
            low = _sure_low(edges)
            if low > 0:
                sure[(-low, pick, confidence)] = sure.get((-low, pick, confidence), 0) + 1
        for (pick, confidence), (n, record, contributors) in sorted(alike.items()):
            vector = forecast_of(confidence, pick, self._k)
            residual = _residual(vector, reference)
            weights = {"everybody": n, "record": record, "contributors": contributors, "recent": n}
            self._means["crowd"].add(vector, n)
            for name, weight in weights.items():
                self._means[name].add(residual, weight)
        more = [
            _Best(-low, pick, confidence, n, _residual(forecast_of(confidence, pick, self._k), reference))
            for (low, pick, confidence), n in sorted(sure.items())
        ]
        if more:
            self._best = _best_of([*self._best, *more])

    def means(self) -> Means:
        best = _Mean(self._k)
        for one in self._best:
            best.add(one.residual, one.n)
        return {**{name: mean.value() for name, mean in self._means.items()}, "best": best.value()}


class _Mean:
    def __init__(self, length: int) -> None:
        self._sums = [0.0] * length
        self._total = 0.0

    def add(self, vector: Sequence[float], weight: float) -> None:
        if weight != 0:
            self._total += weight
            self._sums = [sum_ + weight * value for sum_, value in zip(self._sums, vector)]

    def scale(self, factor: float) -> None:
        self._total *= factor
        self._sums = [sum_ * factor for sum_ in self._sums]

    def value(self) -> Optional[List[float]]:
        return [sum_ / self._total for sum_ in self._sums] if self._total > 0 else None


def _best_of(sure: Sequence[_Best]) -> List[_Best]:
    """The ten with the highest lower bounds, and ties with the tenth. Equal ones are ordered by point."""
    ordered = sorted(sure, key=lambda one: (-one.low, one.pick_index, one.confidence))
    before, least = 0, 0.0
    for one in ordered:
        if before < _BEST:
            least = one.low
        before += one.n
    return [one for one in ordered if one.low >= least]


def _record_weight(edges: Sums) -> int:
    return math.floor((max(0.0, float(edges.sum)) * _RECORD_UNITS) / (edges.n + _DOUBTED_ROUNDS))


def _sure_low(edges: Sums) -> float:
    """The lower end of the mean edge's 95 % interval, at least 0."""
    if edges.n < INTERVAL_MIN_ROUNDS or edges.sum <= 0:
        return 0.0
    interval = mean_interval(Sums(edges.n, edges.sum / 1e6, float(edges.square_sum) / 1e12))
    return 0.0 if interval is None else max(0.0, interval.low)


def _residual(vector: Sequence[float], reference: Sequence[float]) -> List[float]:
    """ln p - ln q of a prediction and the price for each answer; 0 where the price had settled the question."""
    if is_settled(reference):
        return [0.0] * len(vector)
    return [ln(min(_CLIP_MAX, max(_CLIP_MIN, own))) - ln(other) for own, other in zip(vector, reference)]
