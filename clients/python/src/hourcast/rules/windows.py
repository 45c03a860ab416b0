"""The leaderboard's windows, and the periods whose boards are kept."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Mapping, NamedTuple, Optional

PERIODS = ("daily", "weekly", "monthly", "alltime")
ARCHIVE_KINDS = ("day", "week", "month")

WINDOW_LENGTHS: Mapping[str, Optional[timedelta]] = {
    "daily": timedelta(days=1),
    "weekly": timedelta(days=7),
    "monthly": timedelta(days=30),
    "alltime": None,
}
"""Each window's length, back from the newest resolved round's end; None: to the beginning."""


def in_window(period: str, newest_end: datetime, round_end: datetime) -> bool:
    """True for a round that counts: not exactly one window's length before the newest end."""
    length = WINDOW_LENGTHS[period]
    return round_end <= newest_end and (length is None or round_end > newest_end - length)


class ArchivePeriod(NamedTuple):
    """A period of the calendar in UTC, such as `2026-11-20`, `2026-W47` or `2026-11`."""

    kind: str
    name: str
    start: datetime
    end: datetime


def period_of(kind: str, time: datetime) -> ArchivePeriod:
    """The period of a kind that `time` lies in; a period begins with its first instant."""
    utc = time.astimezone(timezone.utc)
    day = datetime(utc.year, utc.month, utc.day, tzinfo=timezone.utc)
    if kind == "day":
        return ArchivePeriod(kind, f"{day:%Y-%m-%d}", day, day + timedelta(days=1))
    if kind == "month":
        start = day.replace(day=1)
        return ArchivePeriod(kind, f"{day:%Y-%m}", start, (start + timedelta(days=31)).replace(day=1))
    # A week belongs to the year of its Thursday (ISO 8601).
    year, number, weekday = day.isocalendar()
    monday = day - timedelta(days=weekday - 1)
    return ArchivePeriod(kind, f"{year:04}-W{number:02}", monday, monday + timedelta(days=7))
