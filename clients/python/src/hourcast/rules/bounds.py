"""Probabilities of open questions are at most 0.98."""

from __future__ import annotations

from typing import List, Sequence

from .floats import total

LEAST = 0.02
MOST = 0.98


def _least_of(choice_count: int) -> float:
    return LEAST / (choice_count - 1)


def within_bounds(probabilities: Sequence[float]) -> List[float]:
    """Probabilities that add up to 1, each at least 0.02 / (k - 1): those below are raised, the others make room in proportion."""
    least = _least_of(len(probabilities))
    bounded = list(probabilities)
    while any(probability < least for probability in bounded):
        is_low = [probability <= least for probability in bounded]
        others = total(probability for probability, low in zip(bounded, is_low) if not low)
        share = (1 - is_low.count(True) * least) / others
        bounded = [least if low else probability * share for probability, low in zip(bounded, is_low)]
    return bounded


def scaled_after_bounds(probabilities: Sequence[float]) -> List[float]:
    """As version 1 of the rules has it: each is cut at the bounds, and all are scaled to add up to 1."""
    least = _least_of(len(probabilities))
    bounded = [min(MOST, max(least, value)) for value in probabilities]
    sum_ = total(bounded)
    return [value / sum_ for value in bounded]
