"""Variances and covariances of the assets' hourly returns."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import List, Mapping, Optional, Sequence, Tuple

from ..assets import ASSETS
from ..floats import total
from ..special_functions import ln

Covariance = Sequence[Sequence[float]]
"""One row and one column for each asset, of hourly log returns."""

COVARIANCE_HOURS = 7 * 24
_MIN_HOURS = 24
_USUAL_DEVIATION = (0.0073, 0.0095, 0.0146, 0.0145, 0.0127, 0.0112, 0.0123, 0.0127)
_USUAL_CORRELATION = 0.73


def covariance_of(edges: Mapping[str, Sequence[Optional[float]]]) -> List[List[float]]:
    """From the prices at the edges of the last 168 hours of each asset, the oldest first: the first hour's open, and each close."""
    returns = zip(*(_returns(edges[asset]) for asset in ASSETS))
    hours = [hour for hour in returns if None not in hour]
    if len(hours) < _MIN_HOURS:
        return _usual()
    columns = list(zip(*hours))
    matrix = [[0.0] * len(ASSETS) for _ in ASSETS]
    for row, left in enumerate(columns):
        for column in range(row + 1):
            right = columns[column]
            matrix[row][column] = matrix[column][row] = total([a * b for a, b in zip(left, right)]) / len(hours)
    return matrix


def _returns(edges: Sequence[Optional[float]]) -> List[Optional[float]]:
    """Hour by hour, the newest first."""
    newest = edges[::-1][: COVARIANCE_HOURS + 1]
    return [
        None if close is None or before is None else _log_return(close, before)
        for close, before in zip(newest, newest[1:])
    ]


@lru_cache(maxsize=1 << 14)
def _log_return(close: float, before: float) -> float:
    return ln(close / before)


def _usual() -> List[List[float]]:
    return [
        [(1 if row == column else _USUAL_CORRELATION) * left * right for column, right in enumerate(_USUAL_DEVIATION)]
        for row, left in enumerate(_USUAL_DEVIATION)
    ]


def variance_of(weights: Sequence[Tuple[str, float]], covariance: Covariance) -> float:
    """The variance of the weighted sum of the assets' returns."""
    sum_ = 0.0
    for left, one in weights:
        row = covariance[ASSETS.index(left)]
        for right, other in weights:
            sum_ += one * other * row[ASSETS.index(right)]
    return sum_


def lower_triangle(assets: Sequence[str], covariance: Covariance) -> List[List[float]]:
    """The lower triangle L with L L' = the covariance of these assets (Cholesky)."""
    places = [ASSETS.index(asset) for asset in assets]
    rows: List[List[float]] = []
    for index, place in enumerate(places):
        row: List[float] = []
        for column in range(index):
            earlier = rows[column]
            left = covariance[place][places[column]] - total(value * earlier[at] for at, value in enumerate(row))
            row.append(0.0 if earlier[column] == 0 else left / earlier[column])
        own = covariance[place][place] - total(value * value for value in row)
        row.append(math.sqrt(max(0.0, own)))
        rows.append(row)
    return rows
