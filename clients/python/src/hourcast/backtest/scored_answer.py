"""The result of an answer to a decided round."""

from __future__ import annotations

from numbers import Real
from typing import Any, Dict, Mapping, Sequence

from ..rules import edge_units, payoff_of, streak_bonus
from ..rules.payoffs import EDGE_UNITS
from .as_of import spaced
from .past import PastRound, point_at, reference_of

ScoredAnswer = Dict[str, Any]
"""The names are those of the service's export of predictions. `reference` has the price's probabilities then."""


def scored(round_: PastRound, answer: Mapping[str, Any], minute: float, streak: int) -> ScoredAnswer:
    """Scores by the round's version of the rules; `streak` is the number of correct answers in a row before it.

    Raises `ValueError` if it is not an answer of the round.
    """
    choices, outcome = round_.question.choices, round_.outcome or ""
    prediction, confidence = answer["prediction"], whole_confidence(answer["confidence"])
    _check(choices, prediction, confidence)
    correct = prediction == outcome
    payoff = payoff_of(confidence, len(choices), correct)
    reference = reference_of(round_, point_at(minute))
    edge = edge_units(
        reference,
        confidence,
        len(choices),
        pick=choices.index(prediction),
        winner=choices.index(outcome),
        version=round_.rules_version,
    )
    return {
        "round_id": round_.id,
        "question": round_.question.question,
        "question_type": round_.question.question_type,
        "subject": round_.question.params.subject,
        "start_time": spaced(round_.hour_start),
        "prediction": prediction,
        "answers": len(choices),
        "confidence": confidence,
        "is_correct": int(correct),
        "score": payoff.score,
        "streak_bonus": streak_bonus(streak + 1) if correct else 0,
        "pnl_usd": float(payoff.pnl_usd),
        "brier": float(payoff.brier),
        "edge": None if edge is None else edge / EDGE_UNITS,
        "lead_seconds": 3600 - minute * 60,
        "reference": reference,
    }


def whole_confidence(confidence: Any) -> Any:
    """A whole number such as 60.0, which rounding gives, as an integer; other values unchanged."""
    is_number = isinstance(confidence, Real) and not isinstance(confidence, bool)
    return int(confidence) if is_number and confidence == confidence // 1 else confidence


def _check(choices: Sequence[str], prediction: Any, confidence: Any) -> None:
    if prediction not in choices:
        raise ValueError(f"prediction must be one of {', '.join(choices)} (got {prediction}).")
    if isinstance(confidence, bool) or not (isinstance(confidence, int) and 0 <= confidence <= 100):
        raise ValueError(f"confidence must be a whole number from 0 to 100 (got {confidence}).")
