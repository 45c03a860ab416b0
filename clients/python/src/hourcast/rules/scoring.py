"""Points and the simulated P&L of one prediction."""

from __future__ import annotations

from fractions import Fraction

from .decimals import round_half_away

CONFIDENCE_BANDS = ((80, 100, -50), (50, 60, -30), (0, 30, -10))
"""Points by confidence, the highest band first: its minimum confidence, points if right, points if wrong."""

CONSISTENCY_BONUS = 10
"""Points that every scored prediction gets."""

STREAK_STEPS = ((3, 5), (5, 10), (10, 15), (20, 25))
"""Extra points for consecutive wins: the number of wins, and the bonus."""

STAKE_USD = 100


def score_of(confidence: int, correct: bool) -> int:
    """The points of one prediction, without those of a streak."""
    for from_, right, wrong in CONFIDENCE_BANDS:
        if confidence >= from_:
            return (right if correct else wrong) + CONSISTENCY_BONUS
    raise ValueError(f"confidence {confidence} is below every band")


def streak_bonus(streak: int) -> int:
    """The bonus of the win that brought the streak to `streak`."""
    return max((bonus for wins, bonus in STREAK_STEPS if streak >= wins), default=0)


def exact_pnl(confidence: int, choice_count: int, correct: bool) -> Fraction:
    """A prediction's profit against a quadratic market maker that opens at 1/k, in exact USD."""
    even = Fraction(1, choice_count)
    pick = max(Fraction(confidence, 100), even)
    opening = 1 - even
    return STAKE_USD * (opening - _brier_over_answers(pick, choice_count, correct)) / (2 - opening)


def pnl_usd(confidence: int, choice_count: int, correct: bool) -> str:
    """`exact_pnl` with two decimals, half away from zero."""
    return round_half_away(exact_pnl(confidence, choice_count, correct), 2)


def brier_term(confidence: int, correct: bool) -> Fraction:
    """(c - o)^2 of one prediction."""
    return (Fraction(confidence, 100) - int(correct)) ** 2


def reference_brier_term(choice_count: int, correct: bool) -> Fraction:
    """The same for a guess: 1 / k on the pick."""
    return (Fraction(1, choice_count) - int(correct)) ** 2


def _brier_over_answers(pick: Fraction, choice_count: int, correct: bool) -> Fraction:
    other = (1 - pick) / (choice_count - 1)
    missed = (1 - pick) ** 2 if correct else pick**2 + (1 - other) ** 2
    return missed + (choice_count - (1 if correct else 2)) * other**2
