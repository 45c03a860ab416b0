"""Question types: their assets, measured values and wording."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from typing import Callable, Dict, NamedTuple, Optional, Sequence

from .candle import Candle, excursion_of, high_of, low_of, range_of, return_of
from .question import Params


class Choice(NamedTuple):
    """The asset with the highest or lowest figure wins."""

    about: str
    figure: Callable[[Candle], Fraction]
    wins: str
    text: str


class Level(NamedTuple):
    """A threshold as a function of past hours."""

    size: Callable[[Candle, Optional[str]], Fraction]
    below: int
    """The percentage of past hours whose size is below the threshold."""
    usual_pct: Sequence[str]
    """In the order of the assets, for hours without history."""


class Boolean(NamedTuple):
    """YES if `measured operator bound` is true, such as a return `>=` the threshold."""

    about: str
    operator: str
    """`level` means `>=`, or `<=` if the question is about a fall."""
    text: str
    is_directed: bool = False
    level: Optional[Level] = None
    counts: bool = False
    """True if past hours set the number of assets."""
    hour_before: bool = False
    """True if the candle of the hour before decides too."""


def _size(candle: Candle, _direction: Optional[str]) -> Fraction:
    return abs(return_of(candle))


def _reach(candle: Candle, direction: Optional[str]) -> Fraction:
    return abs(low_of(candle) if direction == "down" else high_of(candle))


def _excursion(candle: Candle, _direction: Optional[str]) -> Fraction:
    return excursion_of(candle)


USUAL_BREADTH = 4

_RETURN = "Return is close / open - 1 of the one-hour candle"
_TIE = "a tie for the win voids the round"

CHOICES: Dict[str, Choice] = {
    "relative": Choice("pair", return_of, "highest", f"Which has the higher return {{during}}: {{any}}? ({_RETURN}; {_TIE}.)"),
    "best_performer": Choice(
        "all", return_of, "highest", f"Which of {{all}} has the highest return {{during}}? ({_RETURN}; {_TIE}.)"
    ),
    "worst_performer": Choice(
        "all", return_of, "lowest", f"Which of {{all}} has the lowest return {{during}}? ({_RETURN}; {_TIE}.)"
    ),
    "podium": Choice(
        "foursome",
        return_of,
        "highest",
        f"Which of these four has the highest return {{during}}: {{any}}? ({_RETURN}; {_TIE}.)",
    ),
    "volatility": Choice(
        "pair",
        range_of,
        "highest",
        "Which has the wider price range {during}: {any}? "
        f"(Range is (high - low) / open of the one-hour candle; {_TIE}.)",
    ),
}

BOOLEANS: Dict[str, Boolean] = {
    "direction": Boolean(
        "one",
        ">",
        "Does {subject} end the hour {during} above its start price (close > open)? (An unchanged price is a NO.)",
    ),
    "threshold": Boolean(
        "one",
        "level",
        "Is the return of {subject} {during} {signed} or {higher} (return {operator} {signed})? "
        f"({_RETURN}; exactly {{signed}} is a YES.)",
        is_directed=True,
        level=Level(_size, 12, ("0.059", "0.078", "0.13", "0.12", "0.095", "0.1", "0.12", "0.12")),
    ),
    "touch": Boolean(
        "one",
        "level",
        "Does the price of {subject} touch {level} {above} its start price at any time {during} "
        "({high} / open - 1 {operator} {signed})? (Touching it exactly is a YES.)",
        is_directed=True,
        level=Level(_reach, 50, ("0.33", "0.42", "0.66", "0.65", "0.51", "0.5", "0.59", "0.56")),
    ),
    "magnitude": Boolean(
        "one",
        ">=",
        "Does {subject} move by {level} or more, up or down, {during} (absolute return >= {level})? "
        f"({_RETURN}; exactly {{level}} is a YES.)",
        level=Level(_size, 50, ("0.29", "0.38", "0.62", "0.63", "0.47", "0.48", "0.56", "0.53")),
    ),
    "range": Boolean(
        "one",
        "within",
        "Does the price of {subject} stay within +/-{level} of its start price for the whole hour {during} "
        "(high and low both within, the edges included)?",
        level=Level(_excursion, 50, ("0.58", "0.76", "1.2", "1.2", "0.91", "0.9", "1", "1")),
    ),
    "momentum": Boolean(
        "one",
        "same_sign",
        "Does the return of {subject} {during} have the same sign as its return in the hour before, {before}? "
        f"({_RETURN}; a zero return has the same sign as another zero only.)",
        hour_before=True,
    ),
    "beat_market": Boolean(
        "one_of_all",
        ">",
        "Is the return of {subject} {during} higher than the mean return of all 8 assets ({all}; return > mean)? "
        f"({_RETURN}; equal to the mean is a NO.)",
    ),
    "breadth": Boolean(
        "all",
        ">=",
        "Do at least {n} of the 8 assets {all} have a return > 0 {during} (risers >= {n})? "
        f"({_RETURN}; an unchanged price is no rise.)",
        counts=True,
    ),
}


def text_of(pattern: str, assets: Sequence[str], params: Params, hour_start: datetime) -> str:
    """The question in words."""
    threshold = params.threshold_pct or ""
    is_fall = params.operator == "<="
    return pattern.format(
        during=_span(hour_start),
        before=_span(hour_start - timedelta(hours=1)),
        all=_listed(assets, "and"),
        any=_listed(assets, "or"),
        subject=params.subject,
        operator=params.operator,
        n=params.n,
        signed=f"{threshold if threshold.startswith('-') else f'+{threshold}'} %",
        level=f"{threshold.replace('-', '')} %",
        higher="lower" if is_fall else "higher",
        above="below" if is_fall else "above",
        high="low" if is_fall else "high",
    )


def _listed(assets: Sequence[str], conjunction: str) -> str:
    return f"{', '.join(assets[:-1])} {conjunction} {assets[-1]}"


def _span(start: datetime) -> str:
    return f"from {start:%Y-%m-%d %H:%M} UTC to {start + timedelta(hours=1):%Y-%m-%d %H:%M} UTC"
