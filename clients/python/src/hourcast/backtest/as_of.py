"""The market of a past round as of a minute of its hour."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any, Dict, List, Optional, Sequence

from ..rules import ASSETS
from .past import GRID_SECONDS, HOUR, HourCandle, PastRound, point_at, reference_of


class AsOfMarket:
    """Knowledge at a minute of a round's hour. Later minutes raise `ValueError`.

    round: The question, with the names of the service's reference.
    minute: Of the hour, from 0 to below 60.
    now: That minute as a time.
    """

    def __init__(self, round_: PastRound, minute: float) -> None:
        self._past = round_
        self.minute = minute
        self.round = _asked(round_)
        self.now = round_.hour_start + timedelta(minutes=self._at(minute))

    def price(self, asset: str, minute: Optional[float] = None) -> Optional[Dict[str, Optional[float]]]:
        """An asset's price now or at a minute before, and its extremes since the hour began; None where it is not known.

        `change_1h` and `change_24h` are percent; None where the earlier price is not known.
        """
        point = point_at(self._at(minute))
        # A point of the grid counts until the next one.
        time = self._past.hour_start.timestamp() + point * GRID_SECONDS
        shown = self._past.shown_at(asset, time)
        if shown is None:
            return None
        price = shown.price

        def change_over(hours: int) -> Optional[float]:
            before = self._past.shown_at(asset, time - hours * HOUR)
            return None if before is None else (price / before.price - 1) * 100

        changes = {"change_1h": change_over(1), "change_24h": change_over(24)}
        return {"price_usd": price, "high_usd": shown.high, "low_usd": shown.low, **changes}

    def reference(self, minute: Optional[float] = None) -> Optional[Sequence[float]]:
        """The probability of each choice by the price alone, in their order; None without a price."""
        return reference_of(self._past, point_at(self._at(minute)))

    def candles(self, asset: str, hours: int = 168) -> List[HourCandle]:
        """Candles of the last hours that were over before the round, the oldest first; up to a week."""
        since = self._past.hour_start - timedelta(hours=hours)
        return [candle for candle in self._past.candles[asset] if candle.hour_start >= since]

    def _at(self, asked: Optional[float]) -> float:
        minute = self.minute if asked is None else asked
        if 0 <= minute <= self.minute:
            return minute
        raise ValueError(f"minute must be from 0 to {self.minute}, since later ones are still to come (got {minute}).")


def program_input(market: AsOfMarket) -> Dict[str, Any]:
    """The input of a program under `watch`, as of the market's minute."""
    prices = {asset: market.price(asset) for asset in ASSETS}
    said = market.reference() or []
    return {
        "round": market.round,
        "time_remaining_seconds": math.ceil((60 - market.minute) * 60),
        "market": {
            "timestamp": f"{market.now:%Y-%m-%dT%H:%M:%S}.000Z",
            "assets": {asset: price for asset, price in prices.items() if price is not None},
        },
        "reference": [
            {"answer": answer, "probability": probability} for answer, probability in zip(market.round["choices"], said)
        ],
    }


def _asked(round_: PastRound) -> Dict[str, Any]:
    question, start = round_.question, round_.hour_start
    subject, operator, threshold, n = question.params
    end = start + timedelta(hours=1)
    return {
        "id": round_.id,
        "question": question.question,
        "question_type": question.question_type,
        "prediction_format": question.prediction_format,
        "choices": list(question.choices),
        "params": {
            "subject": subject,
            "operator": operator,
            "threshold_pct": None if threshold is None else float(threshold),
            "n": n,
        },
        "assets": list(question.assets),
        "start_time": spaced(start),
        "end_time": spaced(end),
        "starts_at": f"{start:%Y-%m-%dT%H:%M:%S}.000Z",
        "ends_at": f"{end:%Y-%m-%dT%H:%M:%S}.000Z",
        "rules_version": round_.rules_version,
    }


def spaced(time: datetime) -> str:
    """As the service writes the times of rounds: `2026-01-31 12:00:00`."""
    return f"{time:%Y-%m-%d %H:%M:%S}"
