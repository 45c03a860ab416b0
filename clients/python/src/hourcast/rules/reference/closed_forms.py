"""P(YES), where the price is a driftless random walk of log returns until the end of the hour."""

from __future__ import annotations

import math

from ..floats import total
from ..special_functions import ln, normal_cdf
from .moment import Situation, deviation_left, factors_of, lead_kept, move_so_far, over_volatilities


def _above(situation: Situation, level: float) -> float:
    """The log return ends above `level`."""
    asset = situation.subject
    gap = level - move_so_far(situation, asset)
    deviation = deviation_left(situation, [(asset, 1)])
    return over_volatilities(factors_of(situation, [asset]), lambda factor: normal_cdf(-gap / (factor * deviation)))


def direction_chance(situation: Situation) -> float:
    return _above(situation, 0)


def threshold_chance(situation: Situation) -> float:
    chance = _above(situation, ln(1 + situation.threshold))
    return 1 - chance if situation.question.params.operator == "<=" else chance


def magnitude_chance(situation: Situation) -> float:
    threshold = situation.threshold
    return _above(situation, ln(1 + threshold)) + 1 - _above(situation, ln(1 - threshold))


def momentum_chance(situation: Situation) -> float:
    before = situation.moment.sign_before
    if before is None:
        return 0.5
    if before == 0:
        return 0.0
    rise = _above(situation, 0)
    return rise if before > 0 else 1 - rise


def relative_chance(situation: Situation) -> float:
    """The first of two assets ends with the higher return."""
    first, second = situation.question.assets
    lead = move_so_far(situation, first) - move_so_far(situation, second)
    deviation = deviation_left(situation, [(first, 1), (second, -1)])
    factors = factors_of(situation, situation.question.assets)
    return over_volatilities(factors, lambda factor: normal_cdf(lead / (factor * deviation)))


def beat_market_chance(situation: Situation) -> float:
    """The subject's return against the mean of all: a sum of normals, as far as returns are small."""
    assets = situation.question.assets
    weighted = []
    for asset in assets:
        so_far = situation.seen(asset)
        share = (1 if asset == situation.subject else 0) - 1 / len(assets)
        weighted.append((asset, so_far.price_usd / so_far.open_usd, share))
    lead = lead_kept(situation, total(share * (price - 1) for _, price, share in weighted))
    deviation = deviation_left(situation, [(asset, share * price) for asset, price, share in weighted])
    return over_volatilities(factors_of(situation, assets), lambda factor: normal_cdf(lead / (factor * deviation)))


def touch_chance(situation: Situation) -> float:
    """By reflection: half of the paths that touch a level end beyond it."""
    asset = situation.subject
    gap = abs(ln(1 + situation.threshold) - move_so_far(situation, asset))
    deviation = deviation_left(situation, [(asset, 1)])
    return over_volatilities(factors_of(situation, [asset]), lambda factor: 2 * normal_cdf(-gap / (factor * deviation)))


def range_chance(situation: Situation) -> float:
    asset = situation.subject
    threshold = situation.threshold
    move = move_so_far(situation, asset)
    below, above = move - ln(1 - threshold), ln(1 + threshold) - move
    deviation = deviation_left(situation, [(asset, 1)])
    return over_volatilities(
        factors_of(situation, [asset]), lambda factor: _stay_chance(below, above, factor * deviation)
    )


def _stay_chance(below: float, above: float, deviation: float) -> float:
    """P(a walk from 0 never gets `above` up or `below` down), by the method of images."""
    width = below + above
    if deviation > 2 * width:
        return 0.0
    images = 1 + math.ceil((4.5 * deviation) / width)
    chance = 0.0
    for image in range(-images, images + 1):
        shift = 2 * image * width
        inside = normal_cdf((above + shift) / deviation) - normal_cdf((shift - below) / deviation)
        mirrored = normal_cdf((2 * width - below + shift) / deviation) - normal_cdf((above + shift) / deviation)
        chance += inside - mirrored
    return chance
