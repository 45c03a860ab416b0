"""The edge: how much closer a prediction came to what happened than what the price alone said, by the Brier score over all answers."""

from __future__ import annotations

from typing import List, Sequence

from .bounds import MOST
from .versions import RULES


def forecast_of(confidence: int, pick_index: int, choice_count: int) -> List[float]:
    """The probability that a prediction gives each answer: c on the pick, at least 1 / k, and the rest shared out."""
    pick = _stated(confidence, choice_count)
    other = (1 - pick) / (choice_count - 1)
    return [pick if index == pick_index else other for index in range(choice_count)]


def reference_brier(reference: Sequence[float], winner_index: int) -> float:
    """The Brier score, from 0 to 2, of a probability for each answer."""
    if not 0 <= winner_index < len(reference):
        raise ValueError(f"the winner must be one of {len(reference)} answers (got index {winner_index})")
    sum_ = 0.0
    for index, probability in enumerate(reference):
        miss = 1 - probability if index == winner_index else probability
        sum_ += miss * miss
    return sum_


def own_brier(confidence: int, choice_count: int, correct: bool) -> float:
    """The Brier score, from 0 to 2, of a prediction's probabilities."""
    return _brier_of_pick(_stated(confidence, choice_count), choice_count, correct)


def bounded_brier(confidence: int, choice_count: int, correct: bool) -> float:
    """The same for its probabilities within the bounds."""
    return _brier_of_pick(min(MOST, _stated(confidence, choice_count)), choice_count, correct)


def edge_of(reference: Sequence[float], confidence: int, pick_index: int, *, winner_index: int, version: int) -> float:
    """Brier(reference) - Brier(own), from -2 to 2; above 0 where the prediction was better than the price."""
    is_bounded = RULES[version].bounded_edge and not is_settled(reference)
    brier = bounded_brier if is_bounded else own_brier
    return reference_brier(reference, winner_index) - brier(confidence, len(reference), pick_index == winner_index)


def is_settled(reference: Sequence[float]) -> bool:
    """True if the price alone has decided the question."""
    return 1 in reference


def _stated(confidence: int, choice_count: int) -> float:
    return max(confidence / 100, 1 / choice_count)


def _brier_of_pick(pick: float, choice_count: int, correct: bool) -> float:
    other = (1 - pick) / (choice_count - 1)
    missed = (1 - pick) * (1 - pick) if correct else pick * pick + (1 - other) * (1 - other)
    return missed + (choice_count - (1 if correct else 2)) * other * other
