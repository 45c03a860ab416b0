"""A question at a moment: the market so far, and the volatility of the rest of the hour."""

from __future__ import annotations

import math
from typing import Callable, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from ..floats import total
from ..questions.question import Question
from ..special_functions import exp, ln
from .covariance import Covariance, variance_of


class SoFar(NamedTuple):
    """An asset's prices since the hour began, in USD."""

    open_usd: float
    price_usd: float
    high_usd: float
    low_usd: float


class Moment(NamedTuple):
    """The inputs of a reference except the question."""

    seconds_left: float
    """Seconds until the round's end, from 3600 to 0."""
    assets: Mapping[str, SoFar]
    """Every asset that decides the question; more do no harm."""
    covariance: Covariance
    sign_before: Optional[int]
    """The sign of the subject's return in the hour before, which `momentum` asks about; None where it is not known."""


class Situation(NamedTuple):
    question: Question
    moment: Moment

    @property
    def subject(self) -> str:
        return self.question.params.subject or ""

    @property
    def threshold(self) -> float:
        """As a fraction of the start price, with its sign."""
        return float(self.question.params.threshold_pct or "") / 100

    @property
    def share_left(self) -> float:
        """The share of the hour that is left, from 0 to 1."""
        return min(1.0, max(0.0, self.moment.seconds_left / 3600))

    def seen(self, asset: str) -> SoFar:
        return self.moment.assets[asset]


_TAKEN_BACK_MOVE, _TAKEN_BACK_LEAD = 0.1, 0.25
_LEAST_DEVIATION = 1e-6
_TIME_POWER = 1.13


def move_so_far(situation: Situation, asset: str) -> float:
    """ln(price / open), minus the expected reversal in the rest of the hour."""
    so_far = situation.seen(asset)
    return (1 - _TAKEN_BACK_MOVE * situation.share_left) * ln(so_far.price_usd / so_far.open_usd)


def lead_kept(situation: Situation, lead: float) -> float:
    return (1 - _TAKEN_BACK_LEAD * situation.share_left) * lead


def deviation_left(situation: Situation, weights: Sequence[Tuple[str, float]]) -> float:
    """The standard deviation of the remaining change of the weighted sum of the assets' log returns."""
    variance = variance_of(weights, situation.moment.covariance) * variance_left(situation)
    return max(_LEAST_DEVIATION, math.sqrt(max(0.0, variance)))


def variance_left(situation: Situation) -> float:
    """The share of the hour's variance that is left: the last minutes move less than their share of its time."""
    share = situation.share_left
    return exp(_TIME_POWER * ln(share)) if share > 0 else 0.0


_FACTOR_MEAN, _FACTOR_DEVIATION = -0.1, 0.6
_NOISE, _NOISE_OF_START, _RANGE_MEAN = 0.3, 0.01, 0.62
_SIGHT_MIN, _SIGHT_MAX = -1.5, 1.5
_FIFTHS = (-1.2816, -0.5244, 0.0, 0.5244, 1.2816)
_SHARED_OTHER, _SHARED_OWN = 0.6, 0.8


def _wildness(situation: Situation, assets: Sequence[str]) -> Tuple[float, float]:
    """Mean and deviation of the logarithm of the factor that the deviation of the last 7 days is multiplied by."""
    over = 1 - situation.share_left
    prior = _FACTOR_DEVIATION * _FACTOR_DEVIATION
    weight = 0.0 if over == 0 else prior / (prior + _NOISE + _NOISE_OF_START / over)
    sight = total(_sight(situation, asset, over) for asset in assets) / len(assets)
    return _FACTOR_MEAN + weight * (sight - _FACTOR_MEAN), math.sqrt(prior * (1 - weight))


def _sight(situation: Situation, asset: str, over: float) -> float:
    so_far = situation.seen(asset)
    deviation = math.sqrt(max(0.0, variance_of([(asset, 1)], situation.moment.covariance)))
    expected = deviation * math.sqrt(over)
    if not so_far.high_usd > so_far.low_usd or expected == 0:
        return 0.0 if over == 0 else _SIGHT_MIN
    seen = ln(ln(so_far.high_usd / so_far.low_usd) / expected) - _RANGE_MEAN
    return min(_SIGHT_MAX, max(_SIGHT_MIN, seen))


def factors_of(situation: Situation, assets: Sequence[str]) -> List[float]:
    """Factors of the deviation, each with the same probability."""
    mean, deviation = _wildness(situation, assets)
    return [exp(mean + deviation * fifth) for fifth in _FIFTHS]


def factor_pairs(situation: Situation, first: str, second: str) -> List[Tuple[float, float]]:
    """Pairs of factors of two assets, each pair with the same probability."""
    (one_mean, one), (other_mean, other) = _wildness(situation, [first]), _wildness(situation, [second])
    return [
        (exp(one_mean + one * left), exp(other_mean + other * (_SHARED_OTHER * left + _SHARED_OWN * right)))
        for left in _FIFTHS
        for right in _FIFTHS
    ]


def over_volatilities(factors: Sequence[float], probability: Callable[[float], float]) -> float:
    """The mean of a probability over the volatility factors of the rest of the hour."""
    return total(probability(factor) for factor in factors) / len(factors)
