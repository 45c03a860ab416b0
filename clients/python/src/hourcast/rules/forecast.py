"""The arena's forecast: what all agents know together, mixed of experts by how well each has done."""

from __future__ import annotations

import math
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .edge import forecast_of, is_settled, reference_brier
from .floats import total
from .special_functions import exp, ln
from .statistics import Sums, mean_interval

CHECKPOINTS = (5, 15, 30, 45, 55)
"""Minutes of the hour at which the forecast is recorded."""


class Entry(NamedTuple):
    """A prediction that was made before the forecast is."""

    id: int
    pick_index: int
    confidence: int
    reference: Sequence[float]
    """What the price alone said when it was made."""
    edges: Sums
    """Its agent's edges in the rounds that were decided before."""


class Forecast(NamedTuple):
    probabilities: List[float]
    """For each answer, in the order of the choices."""
    said: List[List[float]]
    """What each expert says, in the order of `EXPERTS`."""
    weights: List[float]


_OF_MANY = 1.73
_DOUBTED_ROUNDS = 30
_BEST = 10
_LEAST_RECENCY = -40
_CLIP_MIN, _CLIP_MAX = 0.01, 0.99

_Weights = Callable[[Sequence[Entry]], List[float]]


def _everybody(entries: Sequence[Entry]) -> List[float]:
    return [1.0] * len(entries)


def _by_record(entries: Sequence[Entry]) -> List[float]:
    return [max(0.0, edges.sum / (edges.n + _DOUBTED_ROUNDS)) for *_, edges in entries]


def _contributors(entries: Sequence[Entry]) -> List[float]:
    return [1.0 if edges.sum > 0 else 0.0 for *_, edges in entries]


def _best_ten(entries: Sequence[Entry]) -> List[float]:
    lows = []
    for *_, edges in entries:
        interval = mean_interval(edges) if edges.sum > 0 else None
        lows.append(0.0 if interval is None else interval.low)
    sure = sorted((low for low in lows if low > 0), reverse=True)
    least = sure[min(_BEST, len(sure)) - 1] if sure else math.inf
    return [1.0 if low >= least else 0.0 for low in lows]


def _by_recency(entries: Sequence[Entry]) -> List[float]:
    newest = math.sqrt(len(entries))
    powers = [math.sqrt(place + 1) - newest for place in range(len(entries))]
    return [0.0 if power < _LEAST_RECENCY else exp(power) for power in powers]


_POOLS: Tuple[Tuple[str, float, _Weights], ...] = (
    ("half", 1 / 2, _everybody),
    ("whole", 1, _everybody),
    ("sharp", _OF_MANY, _everybody),
    ("record", _OF_MANY, _by_record),
    ("contributors", 1, _contributors),
    ("best", 1, _best_ten),
    ("recent", 1, _by_recency),
)

EXPERTS = ("price", "mean", *(name for name, *_ in _POOLS))
NO_TOTALS = [0.0] * len(EXPERTS)
"""The total Brier scores of the experts before any round is decided."""

_PRIORS = [1 / 2 if place == 0 else 1 / 2 / (len(EXPERTS) - 1) for place in range(len(EXPERTS))]


def forecast_at(price: Sequence[float], entries: Sequence[Entry], totals: Sequence[float]) -> Forecast:
    """The forecast at a moment at which the price says `price`; without predictions it is the price."""
    said = [list(price), *_candidates(price, entries)]
    weights = _weights_of(totals)
    return Forecast(_mixture(said, weights), said, weights)


def totals_after(totals: Sequence[float], said: Sequence[Sequence[float]], winner_index: int) -> List[float]:
    """The experts' totals once a round is decided in which they had said this."""
    return [before + reference_brier(vector, winner_index) for before, vector in zip(totals, said)]


def _candidates(price: Sequence[float], entries: Sequence[Entry]) -> List[List[float]]:
    in_order = sorted(entries, key=lambda entry: entry.id)
    k = len(price)
    vectors = [forecast_of(entry.confidence, entry.pick_index, k) for entry in in_order]
    residuals = [_residual(vector, entry.reference) for vector, entry in zip(vectors, in_order)]
    means: Dict[_Weights, Optional[List[float]]] = {}
    said = [_weighted_mean(vectors, _everybody(in_order), k) or list(price)]
    for _, strength, weights in _POOLS:
        if weights not in means:
            means[weights] = _weighted_mean(residuals, weights(in_order), k)
        mean = means[weights]
        said.append(list(price) if mean is None else _moved(price, mean, strength))
    return said


def _residual(vector: Sequence[float], reference: Sequence[float]) -> List[float]:
    if is_settled(reference):
        return [0.0] * len(vector)
    return [ln(min(_CLIP_MAX, max(_CLIP_MIN, own))) - ln(other) for own, other in zip(vector, reference)]


def _moved(price: Sequence[float], residual: Sequence[float], strength: float) -> List[float]:
    weights = [probability * exp(strength * move) for probability, move in zip(price, residual)]
    sum_ = total(weights)
    return [weight / sum_ for weight in weights]


def _weighted_mean(vectors: Sequence[Sequence[float]], weights: Sequence[float], k: int) -> Optional[List[float]]:
    sums = [0.0] * k
    all_ = 0.0
    for vector, weight in zip(vectors, weights):
        if weight == 0:
            continue
        all_ += weight
        for index in range(k):
            sums[index] += weight * vector[index]
    return [sum_ / all_ for sum_ in sums] if all_ > 0 else None


def _weights_of(totals: Sequence[float]) -> List[float]:
    best = min(totals)
    weights = [prior * exp(best - own) for prior, own in zip(_PRIORS, totals)]
    sum_ = total(weights)
    return [weight / sum_ for weight in weights]


def _mixture(said: Sequence[Sequence[float]], weights: Sequence[float]) -> List[float]:
    mixed = [
        -ln(total(weight * exp(-reference_brier(vector, winner)) for vector, weight in zip(said, weights)))
        for winner in range(len(said[0]))
    ]
    sum_, level = 0.0, math.inf
    for place, brier in enumerate(sorted(mixed)):
        if brier >= level:
            break
        sum_ += brier
        level = (2 + sum_) / (place + 1)
    return [max(0.0, level - brier) / 2 for brier in mixed]
