"""Candles of one hour, whose prices are exact decimals, and what they measure."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ..decimals import decimal

# A week of every asset is read again for each hour.
_KEPT = 1 << 14


class Candle(NamedTuple):
    """The prices of one asset over one whole hour, in USD, as the source wrote them: `"28477.73"`."""

    open: str
    high: str
    low: str
    close: str


@lru_cache(maxsize=_KEPT)
def _move(price: str, open_: str) -> Fraction:
    start = decimal(open_)
    return (decimal(price) - start) / start


def high_of(candle: Candle) -> Fraction:
    """The distance of the high from the open, as a fraction of the open."""
    return _move(candle.high, candle.open)


def low_of(candle: Candle) -> Fraction:
    return _move(candle.low, candle.open)


def return_of(candle: Candle) -> Fraction:
    """close / open - 1, exactly."""
    return _move(candle.close, candle.open)


def range_of(candle: Candle) -> Fraction:
    """(high - low) / open, exactly."""
    return high_of(candle) - low_of(candle)


def excursion_of(candle: Candle) -> Fraction:
    """The largest distance from the start price, either way."""
    return max(abs(high_of(candle)), abs(low_of(candle)))
