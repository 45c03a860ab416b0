"""A question's probabilities by the price alone at a moment."""

from __future__ import annotations

from typing import Callable, Dict, List, NamedTuple, Optional, Sequence

from ..bounds import scaled_after_bounds, within_bounds
from ..floats import total
from ..questions.question import Question
from ..special_functions import exp, ln
from ..versions import RULES
from .closed_forms import (
    beat_market_chance,
    direction_chance,
    magnitude_chance,
    momentum_chance,
    range_chance,
    relative_chance,
    threshold_chance,
    touch_chance,
)
from .drawn import risers_share, wider_share, winner_shares
from .moment import Moment, Situation


class Recalibration(NamedTuple):
    """Calibrates the model's probabilities by the shares of the hour that are left and past."""

    left: float
    over: float
    lean_left: float = 0.0
    lean_over: float = 0.0


_RECALIBRATIONS: Dict[str, Recalibration] = {
    "relative": Recalibration(-0.02, 0.04),
    "best_performer": Recalibration(-0.28, -0.06),
    "worst_performer": Recalibration(-0.1, 0.14),
    "podium": Recalibration(-0.18, 0.04),
    "volatility": Recalibration(-0.08, -0.12, -0.14, 0),
    "direction": Recalibration(-0.04, 0.08),
    "threshold": Recalibration(-0.02, 0.04, -0.02, 0.08),
    "touch": Recalibration(0.02, 0, -0.06, 0.12),
    "magnitude": Recalibration(-0.12, 0.06, -0.14, 0.12),
    "range": Recalibration(-0.16, -0.08, 0.18, -0.2),
    "momentum": Recalibration(-0.04, 0.08, -0.06, 0.04),
    "beat_market": Recalibration(0.02, 0.16, -0.1, -0.08),
    "breadth": Recalibration(-0.22, 0.02),
}

_CHANCES: Dict[str, Callable[[Situation], float]] = {
    "relative": relative_chance,
    "volatility": wider_share,
    "direction": direction_chance,
    "threshold": threshold_chance,
    "touch": touch_chance,
    "magnitude": magnitude_chance,
    "range": range_chance,
    "momentum": momentum_chance,
    "beat_market": beat_market_chance,
    "breadth": lambda situation: risers_share(situation, situation.question.params.n or 0),
}
"""The probability of the first of two answers."""


def reference_at(question: Question, moment: Optional[Moment], version: int) -> List[float]:
    """A probability for each choice, in their order, adding up to 1; 1 / k each where no price is known (`moment` None)."""
    if moment is None:
        return [1 / len(question.choices)] * len(question.choices)
    situation = Situation(question, moment)
    winner = _settled(situation)
    if winner is not None:
        return [1.0 if index == winner else 0.0 for index in range(len(question.choices))]
    likely = _recalibrated(_model(situation), _RECALIBRATIONS[question.question_type], situation.share_left)
    return within_bounds(likely) if RULES[version].bounded_after_scaling else scaled_after_bounds(likely)


def _model(situation: Situation) -> List[float]:
    question_type = situation.question.question_type
    chance = _CHANCES.get(question_type)
    if chance is None:
        return winner_shares(situation, "lowest" if question_type == "worst_performer" else "highest")
    first = chance(situation)
    return [first, 1 - first]


def _settled(situation: Situation) -> Optional[int]:
    """The index of the answer that the price's extremes have decided already."""
    question_type = situation.question.question_type
    if question_type not in ("touch", "range"):
        return None
    so_far = situation.seen(situation.subject)
    high, low = so_far.high_usd / so_far.open_usd, so_far.low_usd / so_far.open_usd
    threshold = situation.threshold
    if question_type == "touch":
        has_touched = high >= 1 + threshold if threshold > 0 else low <= 1 + threshold
        return 0 if has_touched else None
    return 1 if high > 1 + threshold or low < 1 - threshold else None


def _recalibrated(probabilities: Sequence[float], by: Recalibration, left: float) -> List[float]:
    power = 1 + by.left * left + by.over * (1 - left)
    leaning = by.lean_left * left + by.lean_over * (1 - left)
    weights = [
        exp(power * ln(probability) + (leaning if index == 0 else 0)) if probability > 0 else 0.0
        for index, probability in enumerate(probabilities)
    ]
    sum_ = total(weights)
    return [weight / sum_ for weight in weights]
