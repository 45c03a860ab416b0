"""Asks an agent every round of a recorded past, and scores its answers by the service's rules."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from ..rules import Sums, luck_of_pnl, luck_of_wins, mean_interval, pnl_usd
from ..rules.floats import half_up, total
from ..rules.statistics import pnl_chance
from .as_of import AsOfMarket
from .past import Past, PastRound
from .scored_answer import ScoredAnswer, scored

Agent = Callable[[AsOfMarket], Optional[Mapping[str, Any]]]
"""Answers a round with `prediction` and `confidence` from the data of its minute; None skips the round."""


class BacktestRun(NamedTuple):
    result: Dict[str, Any]
    """The agent's result: see the README."""
    answers: List[ScoredAnswer]
    """The answers behind these figures, the oldest first."""


def backtest(
    past: Past,
    agent: Agent,
    *,
    at: Union[float, Callable[[PastRound], float]] = 0,
    after_cutoff: Optional[datetime] = None,
    on_round: Callable[[int], None] = lambda _done: None,
    on_failure: Optional[Callable[[PastRound, Exception], None]] = None,
) -> BacktestRun:
    """Asks an agent past rounds, and scores its answers.

    at: The minute of the hour at which it is asked, from 0 to below 60, for all rounds or by the round.
    after_cutoff: Rounds that start before are left out: a model may have learnt their outcomes.
    on_round: Called before each round with its number, from 1.
    on_failure: Called if the agent fails; the round is skipped. None: the error is raised.
    """
    answers: List[ScoredAnswer] = []
    counts = {"rounds": 0, "void": 0, "before_cutoff": 0, "sat_out": 0, "failed": 0}
    streak = 0
    for done, round_ in enumerate(past.rounds(), 1):
        on_round(done)
        if after_cutoff is not None and round_.hour_start < after_cutoff:
            counts["before_cutoff"] += 1
            continue
        if round_.outcome is None:
            counts["void"] += 1
            continue
        counts["rounds"] += 1
        minute = at(round_) if callable(at) else at
        try:
            answer = agent(AsOfMarket(round_, minute))
            if answer is None:
                counts["sat_out"] += 1
                continue
            one = scored(round_, answer, minute, streak)
        except Exception as error:
            if on_failure is None:
                raise
            counts["failed"] += 1
            on_failure(round_, error)
            continue
        streak = streak + 1 if one["is_correct"] else 0
        answers.append(one)
    ends = (answers[0]["start_time"], answers[-1]["start_time"]) if answers else (None, None)
    return BacktestRun({"from": ends[0], "to": ends[1], **counts, **_figures(answers)}, answers)


def _figures(answers: Sequence[ScoredAnswer]) -> Dict[str, Any]:
    n = len(answers)
    edges = [one["edge"] for one in answers if one["edge"] is not None]
    wins = sum(one["is_correct"] for one in answers)
    cents = sum(_cents(one["pnl_usd"]) for one in answers)
    interval = mean_interval(Sums(len(edges), total(edges), total(edge * edge for edge in edges)))
    by_choices = [(k, sum(1 for one in answers if one["answers"] == k)) for k in (2, 4, 8)]
    return {
        "answers": n,
        "points": sum(one["score"] + one["streak_bonus"] for one in answers),
        "pnl_usd": cents / 100,
        "right_share": wins / n if n else None,
        "brier": total(one["brier"] for one in answers) / n if n else None,
        "edge": None if interval is None else interval._asdict(),
        "luck": {"wins": luck_of_wins(wins, by_choices), "pnl": _luck(answers, cents)},
    }


def _cents(usd: Union[str, float]) -> int:
    """Whole cents, whose sums are exact."""
    return half_up(100 * float(usd))


def _luck(answers: Sequence[ScoredAnswer], cents: int) -> float:
    mean = variance = 0.0
    for one in answers:
        k = one["answers"]
        won, lost = (_cents(pnl_usd(one["confidence"], k, correct)) for correct in (True, False))
        own_mean, own_variance = pnl_chance(won, lost, k)
        mean += own_mean
        variance += own_variance
    return luck_of_pnl(cents, mean, variance)
