"""The past rounds of a service, as it asked and decided them, and their stored prices."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from ..client import Client
from ..rules import ASSETS, RULES_VERSION, RULES_VERSIONS, Question, plan_of, question_of
from .past import GRID_SECONDS, HOUR, HourCandle, Past, PastRound, Shown, point_at


class _Exported(NamedTuple):
    rounds: List[Any]
    ids: Dict[float, int]
    """By the start of the hour in seconds since 1970."""
    bases: Dict[int, Any]
    quotes: Dict[int, Dict[int, Any]]
    """By round and point."""
    candles: Dict[str, List[HourCandle]]


def exported_rounds(
    client: Client,
    start: Optional[datetime] = None,
    end: Optional[datetime] = None,
    *,
    until_minute: float = 60,
    on_list: Callable[[str], None] = lambda _name: None,
) -> Past:
    """The rounds from `start` to before `end`. Prices of later minutes of each hour than `until_minute` are not kept.

    on_list: Called with the name of each list before it is read.
    """
    span = {name: _iso(time) for name, time in (("from", start), ("to", end)) if time is not None}
    exported = _read(client, {**span, "status": "resolved,void"}, until_minute, on_list)

    def rounds() -> Iterator[PastRound]:
        for row in exported.rounds:
            yield _round_of(exported, row)

    return Past(len(exported.rounds), rounds)


def _iso(time: datetime) -> str:
    return f"{time.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"


def _read(client: Client, filters: Mapping[str, Any], until_minute: float, on_list: Callable[[str], None]) -> _Exported:
    """One list after the other: a service sends one export at a time to an address."""
    on_list("rounds")
    rounds = list(client.export("rounds", filters))
    on_list("references")
    bases = {row["round_id"]: row for row in client.export("references", filters)}
    on_list("candles")
    candles: Dict[str, List[HourCandle]] = {}
    for candle in client.export("candles", filters):
        own = candles.setdefault(candle["asset"], [])
        hour_start = _time(candle["hour_start"])
        # It comes with its round, and again as the hour before the next one.
        if all(known.hour_start != hour_start for known in own[-2:]):
            prices = (candle["open"], candle["high"], candle["low"], candle["close"])
            own.append(HourCandle(hour_start, *map(repr, prices)))
    on_list("quotes")
    quotes: Dict[int, Dict[int, Any]] = {}
    for quote in client.export("quotes", filters):
        if quote["point"] * GRID_SECONDS <= until_minute * 60:
            quotes.setdefault(quote["round_id"], {})[quote["point"]] = quote
    ids = {_time(row["start_time"]).timestamp(): row["id"] for row in rounds}
    return _Exported(rounds, ids, bases, quotes, candles)


def _time(text: str) -> datetime:
    """An instant as exports write it, with or without its zone: it is UTC."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).replace(tzinfo=timezone.utc)


def _round_of(exported: _Exported, row: Any) -> PastRound:
    hour_start = _time(row["start_time"])
    question = _question_in(row, hour_start)
    basis = exported.bases.get(row["id"])
    quotes = exported.quotes.get(row["id"], {})
    week = hour_start - timedelta(days=7)

    def quote_at(point: int) -> Optional[Sequence[Shown]]:
        quote = quotes.get(point)
        return None if quote is None else [Shown(*one) for one in zip(quote["prices"], quote["highs"], quote["lows"])]

    def shown_at(asset: str, time: float) -> Optional[Shown]:
        start = time // HOUR * HOUR
        shown = exported.quotes.get(exported.ids.get(start, 0), {})
        return _shown_in(shown, asset, point_at((time - start) / 60))

    return PastRound(
        id=row["id"],
        hour_start=hour_start,
        question=question,
        rules_version=row["rules_version"] if row["rules_version"] in RULES_VERSIONS else RULES_VERSION,
        outcome=row["outcome"],
        covariance=None if basis is None else [basis["covariance"][at : at + 8] for at in range(0, 64, 8)],
        sign_before=None if basis is None else basis["sign_before"],
        candles={
            asset: [one for one in exported.candles.get(asset, []) if week <= one.hour_start < hour_start]
            for asset in ASSETS
        },
        quote_at=quote_at,
        shown_at=shown_at,
    )


def _question_in(row: Any, hour_start: datetime) -> Question:
    usual = question_of(plan_of(hour_start), hour_start, [])
    threshold = row["threshold_pct"]
    params = usual.params._replace(threshold_pct=None if threshold is None else repr(threshold), n=row["n"])
    return usual._replace(question=row["question"], params=params)


def _shown_in(quotes: Mapping[int, Any], asset: str, point: int) -> Optional[Shown]:
    """The newest prices stored up to a point."""
    for at in range(point, -1, -1):
        quote = quotes.get(at)
        if quote is not None and asset in quote["assets"]:
            place = quote["assets"].index(asset)
            return Shown(quote["prices"][place], quote["highs"][place], quote["lows"][place])
    return None
