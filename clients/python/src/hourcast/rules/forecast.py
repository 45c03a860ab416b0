"""The arena's forecast from all predictions: a mixture of experts, weighted by their past Brier scores."""

from __future__ import annotations

import math
from typing import List, NamedTuple, Sequence

from .edge import reference_brier
from .floats import total
from .pooling import Means
from .special_functions import exp, ln

CHECKPOINTS = (5, 15, 30, 45, 55)
"""Minutes of the hour at which the forecast is recorded."""


class Forecast(NamedTuple):
    probabilities: List[float]
    """For each answer, in the order of the choices."""
    said: List[List[float]]
    """Each expert's probabilities, in the order of `EXPERTS`."""
    weights: List[float]


_OF_MANY = 1.73

_POOLS = (
    ("half", 1 / 2, "everybody"),
    ("whole", 1, "everybody"),
    ("sharp", _OF_MANY, "everybody"),
    ("record", _OF_MANY, "record"),
    ("contributors", 1, "contributors"),
    ("best", 1, "best"),
    ("recent", 1, "recent"),
)
"""Changes to the price's probabilities: their experts and strengths."""

EXPERTS = ("price", "mean", *(name for name, *_ in _POOLS))
NO_TOTALS = [0.0] * len(EXPERTS)
"""The total Brier scores of the experts before any round is decided."""

_PRIORS = [1 / 2 if place == 0 else 1 / 2 / (len(EXPERTS) - 1) for place in range(len(EXPERTS))]


def forecast_at(price: Sequence[float], means: Means, totals: Sequence[float]) -> Forecast:
    """The forecast when the price alone gives the probabilities `price`. Without predictions both are equal."""
    said = [list(price), *_candidates(price, means)]
    weights = _weights_of(totals)
    return Forecast(_mixture(said, weights), said, weights)


def totals_after(totals: Sequence[float], said: Sequence[Sequence[float]], winner_index: int) -> List[float]:
    """The experts' totals after a decided round, in which their probabilities were `said`."""
    return [before + reference_brier(vector, winner_index) for before, vector in zip(totals, said)]


def _candidates(price: Sequence[float], means: Means) -> List[List[float]]:
    residuals = [(strength, means[mean]) for _, strength, mean in _POOLS]
    pools = [list(price) if mean is None else _moved(price, mean, strength) for strength, mean in residuals]
    return [means["crowd"] or list(price), *pools]


def _moved(price: Sequence[float], residual: Sequence[float], strength: float) -> List[float]:
    weights = [probability * exp(strength * move) for probability, move in zip(price, residual)]
    sum_ = total(weights)
    return [weight / sum_ for weight in weights]


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
