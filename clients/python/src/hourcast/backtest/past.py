"""Finished rounds and their data."""

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
    """USD at an instant of an hour."""

    price: float
    high: float
    """The highest since the hour began."""
    low: float


@dataclass(frozen=True)
class PastRound:
    """All data of a past round. Agents read it through `AsOfMarket`."""

    id: Optional[int]
    """The service's id; None where the round was never asked."""
    hour_start: datetime
    question: Question
    rules_version: int
    outcome: Optional[str]
    """None: the round is void."""
    covariance: Optional[Sequence[Sequence[float]]]
    """The covariance of hourly log returns; None if unknown."""
    sign_before: Optional[int]
    candles: Mapping[str, Sequence[HourCandle]]
    """The known candles of the week before, the oldest first."""
    quote_at: Callable[[int], Optional[Sequence[Shown]]]
    """The prices of the question's assets at a point of the grid; None where one is not known."""
    shown_at: Callable[[str, float], Optional[Shown]]
    """An asset's prices at a time, in seconds since 1970; also for hours before the round's."""


@dataclass(frozen=True)
class Past:
    """Rounds in the order of their hours."""

    count: int
    """The maximum number of rounds."""
    rounds: Callable[[], Iterator[PastRound]]


def point_at(minute: float) -> int:
    """The last point of the grid at or before a minute of the hour."""
    return min(int(minute * 60 // GRID_SECONDS), GRID_POINTS - 1)


def reference_of(round_: PastRound, point: int) -> Optional[Sequence[float]]:
    """Probabilities by the price alone at a point of the grid; None if unknown."""
    opened, now = round_.quote_at(0), round_.quote_at(point)
    if opened is None or now is None or round_.covariance is None:
        return None
    so_far: Dict[str, SoFar] = {
        asset: SoFar(first.price, shown.price, shown.high, shown.low)
        for asset, first, shown in zip(round_.question.assets, opened, now)
    }
    moment = Moment(HOUR - point * GRID_SECONDS, so_far, round_.covariance, round_.sign_before)
    return reference_at(round_.question, moment, round_.rules_version)
