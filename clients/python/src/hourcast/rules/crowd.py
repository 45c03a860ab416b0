"""The effect of a round's predictions on the crowd."""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Sequence

from .edge import forecast_of, reference_brier
from .floats import total
from .special_functions import ln

_CLIP_MIN, _CLIP_MAX = 0.01, 0.99


class TallyRow(NamedTuple):
    """The number of a round's predictions with this answer and confidence."""

    answer: str
    confidence: int
    n: int


class CrowdFigures(NamedTuple):
    """The same for all predictions of a row."""

    answer: str
    confidence: int
    n: int
    contribution: float
    """Brier of the crowd without this one prediction - Brier of the crowd with it."""
    peer_score: float
    """100 (ln p - mean of the others' ln p), p being what each gave to the answer that won."""


class _Kind(NamedTuple):
    row: TallyRow
    vector: List[float]


def crowd_probabilities(choices: Sequence[str], tally: Sequence[TallyRow]) -> Optional[List[float]]:
    """The mean of all predictions' vectors; None without predictions."""
    kinds = _kinds(choices, tally)
    n = sum(row.n for row in tally)
    if n == 0:
        return None
    return [total(kind.row.n * kind.vector[index] for kind in kinds) / n for index in range(len(choices))]


def crowd_figures(choices: Sequence[str], tally: Sequence[TallyRow], outcome: str) -> List[CrowdFigures]:
    """Contribution and peer score of each kind of prediction, in the order of choices and confidences."""
    n = sum(row.n for row in tally)
    crowd = crowd_probabilities(choices, tally)
    winner = list(choices).index(outcome)
    if crowd is None:
        return []
    kinds = _kinds(choices, tally)
    logs = [ln(min(_CLIP_MAX, max(_CLIP_MIN, kind.vector[winner]))) for kind in kinds]
    all_logs = total(kind.row.n * log for kind, log in zip(kinds, logs))
    brier = reference_brier(crowd, winner)
    figures = []
    for (row, vector), log in zip(kinds, logs):
        if n == 1:
            figures.append(CrowdFigures(*row, contribution=0.0, peer_score=0.0))
            continue
        without = [(n * probability - own) / (n - 1) for probability, own in zip(crowd, vector)]
        others = (all_logs - log) / (n - 1)
        contribution = reference_brier(without, winner) - brier
        figures.append(CrowdFigures(*row, contribution=contribution, peer_score=100 * (log - others)))
    return figures


def difficulty_of(tally: Sequence[TallyRow], outcome: str) -> Optional[float]:
    """The mean of (c - o)^2 over all predictions, from 0 to 1; None without predictions."""
    n = sum(row.n for row in tally)
    missed = sum(row.n * (row.confidence - (100 if row.answer == outcome else 0)) ** 2 for row in tally)
    return None if n == 0 else missed / (10_000 * n)


def _kinds(choices: Sequence[str], tally: Sequence[TallyRow]) -> List[_Kind]:
    """The rows with their vectors, in one order whatever the order they come in."""
    placed = sorted(((list(choices).index(row.answer), row) for row in tally), key=lambda one: (one[0], one[1].confidence))
    return [_Kind(row, forecast_of(row.confidence, pick, len(choices))) for pick, row in placed]
