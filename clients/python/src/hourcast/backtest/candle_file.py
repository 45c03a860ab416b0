"""Files of candles, `timestamp,open,high,low,close,volume`, as the service replays them."""

from __future__ import annotations

import gzip
from bisect import bisect_left
from datetime import datetime, timezone
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence, Tuple

from .past import HOUR, HourCandle, Shown

_HEADER = "timestamp,open,high,low,close,volume"
_STEPS = (("1m", 60), ("5m", 300), ("1h", 3600))
"""Finest first."""
_FRESH_SECONDS = 300

_KEPT_HOURS = 512
"""Some weeks are cached: every round reads the last 7 days, and an hour is built from 60 candles."""


class CandleFile:
    """The candles of one asset at one step. Times are seconds since 1970."""

    def __init__(self, path: Path, step: int) -> None:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        # Spreadsheets and editors add a byte order mark, and blank last lines.
        text = data.decode("utf-8-sig").rstrip()
        header, *self._lines = text.splitlines() or [""]
        if header != _HEADER:
            raise ValueError(f'{path.name} line 1: "{header}" is not a header; accepted is {_HEADER}.')
        if any(one >= other for one, other in zip(self._lines, self._lines[1:])):
            raise ValueError(f"{path.name}: candles must be in the order of their times, each once.")
        self._name = path.name
        self.step = step
        self.length = len(self._lines)

    def first_from(self, time: float) -> int:
        """The index of the first candle that opens at or after `time`."""
        return bisect_left(self._lines, _stamp(time))

    def start_at(self, index: int) -> float:
        """A candle's opening time; infinite for a missing candle."""
        return _seconds(self._lines[index][:20]) if 0 <= index < self.length else float("inf")

    def row(self, index: int) -> List[str]:
        columns = self._lines[index].split(",")
        if len(columns) != 6:
            raise ValueError(f"{self._name} line {index + 2}: accepted are exactly 6 columns, {_HEADER}.")
        return columns[1:]


@lru_cache(maxsize=1 << 16)
def _stamp(time: float) -> str:
    moment = datetime.fromtimestamp(time, timezone.utc)
    # The first whole minute from that time on, since candles open at whole minutes.
    text = f"{moment:%Y-%m-%dT%H:%M:%S}"
    return f"{text}Z" if moment.microsecond == 0 else f"{text}~"


@lru_cache(maxsize=1 << 16)
def _seconds(stamp: str) -> float:
    return datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp()


class _Point(NamedTuple):
    at: float
    running: bool
    """True: the open of a running candle; False: the close of the last one."""
    price: str


class AssetHistory:
    """The candle files of one asset in a folder."""

    def __init__(self, folder: Path, asset: str) -> None:
        self._files: List[CandleFile] = []
        for name, step in _STEPS:
            found = [path for path in (folder / f"{asset}-USD-{name}.csv", folder / f"{asset}-USD-{name}.csv.gz") if path.exists()]
            self._files += [CandleFile(path, step) for path in found[:1]]
        if not self._files:
            raise ValueError(f"{folder} has no candles of {asset}; accepted are {asset}-USD-<1m|5m|1h>.csv or .csv.gz.")
        self.hour_at = lru_cache(maxsize=_KEPT_HOURS)(self._hour_at)
        """The candle of a finished hour."""

    def _hour_at(self, start: float) -> Optional[HourCandle]:
        """The candle of a finished hour, from the finest step that has candles in it; None without a price."""
        for file in self._files:
            first, after = file.first_from(start), file.first_from(start + HOUR)
            if first == after:
                continue
            if file.start_at(first) != start or file.start_at(after - 1) != start + HOUR - file.step:
                return None
            rows = [file.row(index) for index in range(first, after)]
            if not any(Decimal(row[4]) > 0 for row in rows):
                return None
            high = max((row[1] for row in rows), key=Decimal)
            low = min((row[2] for row in rows), key=Decimal)
            hour_start = datetime.fromtimestamp(start, timezone.utc)
            return HourCandle(hour_start, rows[0][0], high, low, rows[-1][3])
        return None

    def shown_at(self, time: float) -> Optional[Shown]:
        """A price less than 5 minutes old, and the extremes since the hour began."""
        hour_start = time // HOUR * HOUR
        newest = max(self._points(time), default=None, key=lambda point: point[:2])
        if newest is None or newest.at < hour_start or time - newest.at >= _FRESH_SECONDS:
            return None
        for file in self._files:
            extremes = _extremes(file, hour_start, time)
            if extremes is not None:
                return Shown(float(newest.price), *extremes)
        return None

    def _points(self, time: float) -> Sequence[_Point]:
        points = []
        for file in self._files:
            # Candles open at whole minutes: the next one at least a second later.
            latest = file.first_from(time + 1) - 1
            if latest < 0:
                continue
            start, row = file.start_at(latest), file.row(latest)
            is_running = time < start + file.step
            points.append(_Point(start, True, row[0]) if is_running else _Point(start + file.step, False, row[3]))
        return points


def _extremes(file: CandleFile, hour_start: float, time: float) -> Optional[Tuple[float, float]]:
    """High and low of a file's candles since the hour began; a running candle counts with its open only."""
    highs, lows = [], []
    index = file.first_from(hour_start)
    while file.start_at(index) + file.step <= time:
        _, high, low, *_ = file.row(index)
        highs.append(float(high))
        lows.append(float(low))
        index += 1
    if file.start_at(index) <= time:
        open_ = float(file.row(index)[0])
        highs.append(open_)
        lows.append(open_)
    return (max(highs), min(lows)) if highs else None
