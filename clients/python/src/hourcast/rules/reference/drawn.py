"""Probabilities without a formula: shares of the same 2,048 draws, computed column by column for speed."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import List, Sequence, Tuple

from ..special_functions import ln, uniforms
from .covariance import lower_triangle
from .moment import Situation, SoFar, factor_pairs, factors_of, move_so_far, variance_left

_ROWS = 1024
"""Rows of standard normals; each is used a second time with opposite signs."""
_ROW_LENGTH = 8
_SEED = 0x68633131
_CONTINUITY = 0.5826


@lru_cache(maxsize=1)
def _columns() -> Tuple[List[float], ...]:
    """The same standard normals for every call, one list for each column."""
    draw = uniforms(_SEED)
    draws: List[float] = []
    while len(draws) < _ROWS * _ROW_LENGTH:
        left, right = 2 * draw() - 1, 2 * draw() - 1
        square = left * left + right * right
        if 0 < square < 1:
            scale = math.sqrt((-2 * ln(square)) / square)
            draws += (left * scale, right * scale)
    return tuple(draws[place::_ROW_LENGTH] for place in range(_ROW_LENGTH))


def _returns(situation: Situation) -> List[Tuple[float, ...]]:
    """The log returns of the whole hour in each draw, in the order of the question's assets."""
    assets = situation.question.assets
    factors = factors_of(situation, assets)
    scale = math.sqrt(variance_left(situation))
    wide = ([scale * factor for factor in factors] * (_ROWS // len(factors) + 1))[:_ROWS]
    columns = _columns()
    up, down = [], []
    for weights, asset in zip(lower_triangle(assets, situation.moment.covariance), assets):
        move = move_so_far(situation, asset)
        gains = [weights[0] * draw for draw in columns[0]]
        for weight, column in zip(weights[1:], columns[1:]):
            gains = [gain + weight * draw for gain, draw in zip(gains, column)]
        moved = [width * gain for width, gain in zip(wide, gains)]
        up.append([move + one for one in moved])
        down.append([move - one for one in moved])
    return [*zip(*up), *zip(*down)]


def winner_shares(situation: Situation, wins: str) -> List[float]:
    """The share of draws in which each asset of the question has the highest return at the end, or the lowest."""
    best = max if wins == "highest" else min
    counts = [0] * len(situation.question.assets)
    for returns in _returns(situation):
        counts[returns.index(best(returns))] += 1
    return [count / (2 * _ROWS) for count in counts]


def risers_share(situation: Situation, least: int) -> float:
    """The share of draws in which at least `least` of the question's assets end above their start price."""
    held = sum(1 for returns in _returns(situation) if sum([one > 0 for one in returns]) >= least)
    return held / (2 * _ROWS)


def wider_share(situation: Situation) -> float:
    """The share of draws in which the first of two assets has the wider range. Each asset has its own volatility factor."""
    first, second = situation.question.assets
    (own,), (shared, rest) = lower_triangle([first, second], situation.moment.covariance)
    pairs = factor_pairs(situation, first, second)
    scale = math.sqrt(variance_left(situation) / _ROW_LENGTH)
    pairs = (pairs * (_ROWS // len(pairs) + 1))[:_ROWS]
    columns = _columns()
    partners = [column[_ROWS // 2 :] + column[: _ROWS // 2] for column in columns]
    wider = 0
    for sign in (1, -1):
        widths = [scale * one for one, _ in pairs]
        others = [scale * other for _, other in pairs]
        ranges = _ranges(situation.seen(first), [sign * width * own for width in widths], None, columns, partners)
        rest_of = [width * rest for width in others]
        other_ranges = _ranges(
            situation.seen(second), [sign * width * shared for width in others], rest_of, columns, partners
        )
        wider += sum([one > other for one, other in zip(ranges, other_ranges)])
    return wider / (2 * _ROWS)


def _ranges(
    so_far: SoFar,
    first: Sequence[float],
    second: "Sequence[float] | None",
    columns: Sequence[Sequence[float]],
    partners: Sequence[Sequence[float]],
) -> List[float]:
    """(high - low) / open of each row; `second` weights the steps of the partner row, half the table away."""
    moves = tops = bottoms = [0.0] * _ROWS
    for column, partner in zip(columns, partners):
        if second is None:
            moves = [move + one * draw for move, one, draw in zip(moves, first, column)]
        else:
            moves = [
                move + (one * draw + other * beside)
                for move, one, draw, other, beside in zip(moves, first, column, second, partner)
            ]
        tops = [move if move > top else top for move, top in zip(moves, tops)]
        bottoms = [move if move < bottom else bottom for move, bottom in zip(moves, bottoms)]
    beside = second or [0.0] * _ROWS
    price, high, low, open_ = so_far.price_usd, so_far.high_usd, so_far.low_usd, so_far.open_usd
    ranges = []
    for top, bottom, one, other in zip(tops, bottoms, first, beside):
        beyond = _CONTINUITY * math.sqrt(one * one + other * other)
        up, down = top + beyond, bottom - beyond
        # exp of a log return, to the second order.
        highest = price * (1 + up * (1 + up / 2))
        lowest = price * (1 + down * (1 + down / 2))
        ranges.append((max(high, highest) - min(low, lowest)) / open_)
    return ranges
