"""Rounds that are over, and all that is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Sequence

from ..rules import Moment, Question, SoFar, reference_at

GRID_SECONDS = 15
GRID_POINTS = 240
HOUR = 3600


class HourCandle(NamedTuple):
    """A finished hour of one asset; prices are exact decimals."""

    hour_start: datetime
    open: str
    high: str
    low: str
    close: str


class Shown(NamedTuple):
    """What the market had shown of an asset at an instant of an hour, in USD."""

    price: float
    high: float
    """The highest since the hour began."""
    low: float


@dataclass(frozen=True)
class PastRound:
    """A round, and all that is known of it. Who answers it sees it through `AsOfMarket`."""

    id: Optional[int]
    """The service's; None where the round was never asked."""
    hour_start: datetime
    question: Question
    rules_version: int
    outcome: Optional[str]
    """None: it is void."""
    covariance: Optional[Sequence[Sequence[float]]]
    """Of hourly log returns; None where it is not known."""
    sign_before: Optional[int]
    candles: Mapping[str, Sequence[HourCandle]]
    """Those of the week before, as far as they are known, the oldest first."""
    quote_at: Callable[[int], Optional[Sequence[Shown]]]
    """The prices of the question's assets at a point of the grid; None where one is not known."""
    shown_at: Callable[[str, float], Optional[Shown]]
    """What was shown of an asset at a time, in seconds since 1970; also in an hour before."""


@dataclass(frozen=True)
class Past:
    """Rounds in the order of their hours."""

    count: int
    """How many there are at the most."""
    rounds: Callable[[], Iterator[PastRound]]


def point_at(minute: float) -> int:
    """The last point of the grid at or before a minute of the hour."""
    return min(int(minute * 60 // GRID_SECONDS), GRID_POINTS - 1)


def reference_of(round_: PastRound, point: int) -> Optional[Sequence[float]]:
    """What the price alone said at a point of the grid; None where it is not known."""
    opened, now = round_.quote_at(0), round_.quote_at(point)
    if opened is None or now is None or round_.covariance is None:
        return None
    so_far: Dict[str, SoFar] = {
        asset: SoFar(first.price, shown.price, shown.high, shown.low)
        for asset, first, shown in zip(round_.question.assets, opened, now)
    }
    moment = Moment(HOUR - point * GRID_SECONDS, so_far, round_.covariance, round_.sign_before)
    return reference_at(round_.question, moment, round_.rules_version)
