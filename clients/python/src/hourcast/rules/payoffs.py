"""A prediction's payoffs in a decided round, in the service's stored units."""

from __future__ import annotations

from typing import List, Mapping, NamedTuple, Optional, Sequence

from .crowd import TallyRow, crowd_figures
from .decimals import shortest
from .edge import bounded_brier, is_settled, own_brier, reference_brier
from .floats import half_up
from .scoring import brier_term, pnl_usd, reference_brier_term, score_of
from .versions import RULES

EDGE_UNITS = 1_000_000
CONTRIBUTION_UNITS = 1_000_000_000
PEER_UNITS = 1_000_000
"""Stored units in 1."""


def in_units(figure: float, units: int) -> int:
    """A figure as a whole number of its units, half up."""
    return half_up(figure * units)


def figure_of(figure: Optional[int], units: int) -> Optional[float]:
    """The figure of a number of units; None stays None."""
    return None if figure is None else figure / units


class Payoff(NamedTuple):
    """The figures that depend only on a prediction's confidence and correctness; fractions are exact decimals."""

    confidence: int
    correct: bool
    score: int
    pnl_usd: str
    brier: str
    reference_brier: str


def payoff_of(confidence: int, choice_count: int, correct: bool) -> Payoff:
    return Payoff(
        confidence,
        correct,
        score_of(confidence, correct),
        pnl_usd(confidence, choice_count, correct),
        shortest(brier_term(confidence, correct)),
        shortest(reference_brier_term(choice_count, correct)),
    )


def edge_units(
    reference: Optional[Sequence[float]], confidence: int, choice_count: int, *, pick: int, winner: int, version: int
) -> Optional[int]:
    """The stored edge, in millionths; None where the prediction has none. `reference` is None where no price was known."""
    rules = RULES[version]
    if reference is None:
        if not rules.edge_without_price:
            return None
        reference = [1 / choice_count] * choice_count
    brier = bounded_brier if rules.bounded_edge and not is_settled(reference) else own_brier
    own = in_units(brier(confidence, choice_count, pick == winner), EDGE_UNITS)
    return in_units(reference_brier(reference, winner), EDGE_UNITS) - own


class CrowdPayoff(NamedTuple):
    """A prediction's published contribution to the crowd."""

    answer: str
    confidence: int
    contribution: float
    peer_score: float


def crowd_payoffs(choices: Sequence[str], tally: Sequence[Mapping[str, object]], outcome: str) -> List[CrowdPayoff]:
    """Each row of a round's tally has `answer`, `confidence` and their count `n`."""
    rows = [TallyRow(str(row["answer"]), int(str(row["confidence"])), int(str(row["n"]))) for row in tally]
    return [
        CrowdPayoff(
            one.answer,
            one.confidence,
            in_units(one.contribution, CONTRIBUTION_UNITS) / CONTRIBUTION_UNITS,
            in_units(one.peer_score, PEER_UNITS) / PEER_UNITS,
        )
        for one in crowd_figures(choices, rows, outcome)
    ]
