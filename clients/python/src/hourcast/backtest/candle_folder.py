"""The hours of a folder of candles, each with the question that a service running for a week would ask."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Union

from ..rules import ASSETS, RULES_VERSION, Candle, Question, covariance_of, history_needed, outcome_of, plan_of, question_of
from ..rules.questions import candles_needed, return_of
from ..rules.questions.thresholds import HISTORY_HOURS
from ..rules.reference.covariance import COVARIANCE_HOURS
from .candle_file import AssetHistory
from .past import GRID_SECONDS, HOUR, HourCandle, Past, PastRound, Shown


def candle_folder(folder: Union[str, Path], start: datetime, end: datetime) -> Past:
    """The hours that begin from `start` to before `end`, of `<symbol>-USD-<1m|5m|1h>.csv` or `.csv.gz` in a folder."""
    histories = {asset: AssetHistory(Path(folder), asset) for asset in ASSETS}
    first = datetime.fromtimestamp(-(-start.timestamp() // HOUR) * HOUR, timezone.utc)
    count = max(0, -int((first - end.astimezone(timezone.utc)) // timedelta(hours=1)))

    def rounds() -> Iterator[PastRound]:
        for hour in range(count):
            yield _round_of(histories, first + timedelta(hours=hour))

    return Past(count, rounds)


def _round_of(histories: Mapping[str, AssetHistory], hour_start: datetime) -> PastRound:
    start = hour_start.timestamp()
    plan = plan_of(hour_start)
    needed = history_needed(plan)
    history: List[Dict[str, Candle]] = []
    if needed:
        # A service stores a round during the hour before it, so it lacks that hour's candle.
        stored_at = start - HOUR
        history = [_hour(histories, stored_at - back * HOUR, needed) for back in range(HISTORY_HOURS, 0, -1)]
    question = question_of(plan, hour_start, history)
    before = _hour(histories, start - HOUR, ASSETS)
    outcome, _ = outcome_of(question, _hour(histories, start, ASSETS), before)
    weeks = {asset: _week(histories[asset], start) for asset in ASSETS}
    quotes: Dict[int, Optional[Sequence[Shown]]] = {}

    def quote_at(point: int) -> Optional[Sequence[Shown]]:
        if point not in quotes:
            shown = [histories[asset].shown_at(start + point * GRID_SECONDS) for asset in question.assets]
            known = [one for one in shown if one is not None]
            quotes[point] = known if len(known) == len(shown) else None
        return quotes[point]

    return PastRound(
        id=None,
        hour_start=hour_start,
        question=question,
        rules_version=RULES_VERSION,
        outcome=outcome,
        covariance=covariance_of({asset: _edges(week) for asset, week in weeks.items()}),
        sign_before=_sign_before(question, before),
        candles={asset: [candle for candle in week if candle is not None] for asset, week in weeks.items()},
        quote_at=quote_at,
        shown_at=partial(_shown_at, histories),
    )


def _shown_at(histories: Mapping[str, AssetHistory], asset: str, time: float) -> Optional[Shown]:
    return histories[asset].shown_at(time)


def _hour(histories: Mapping[str, AssetHistory], start: float, assets: Sequence[str]) -> Dict[str, Candle]:
    found = ((asset, histories[asset].hour_at(start)) for asset in assets)
    return {asset: Candle(*candle[1:]) for asset, candle in found if candle is not None}


def _week(history: AssetHistory, start: float) -> List[Optional[HourCandle]]:
    """The candles of the 168 hours before, the oldest first; None where there is none."""
    return [history.hour_at(start - back * HOUR) for back in range(COVARIANCE_HOURS, 0, -1)]


def _edges(week: Sequence[Optional[HourCandle]]) -> List[Optional[float]]:
    """The open of the first of these hours, and all closes."""
    first, *_ = week
    opened = None if first is None else float(first.open)
    return [opened, *[None if candle is None else float(candle.close) for candle in week]]


def _sign_before(question: Question, before: Mapping[str, Candle]) -> Optional[int]:
    candle = before.get(question.params.subject or "")
    if candle is None or not candles_needed(question.question_type):
        return None
    change = return_of(candle)
    return (change > 0) - (change < 0)
