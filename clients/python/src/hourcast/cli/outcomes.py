"""The outcomes of own predictions."""

from __future__ import annotations

from typing import Any, Dict

from ..client import Client
from .figures import signed
from .output import Output

_NEWEST = 20
_FIELDS = ("round_id", "prediction", "is_correct", "score", "streak_bonus", "place", "pnl_usd")

Outcome = Dict[str, Any]
"""`is_correct` and `score` are None where the round is void."""


def outcome_of(client: Client, round_id: int) -> Outcome:
    """The round must be decided."""
    predictions = client.my_predictions(limit=_NEWEST)["predictions"]
    own = next((one for one in predictions if one["round_id"] == round_id), None)
    if own is None:
        raise RuntimeError(f"Your agent has no prediction in round {round_id}.")
    return {name: own[name] for name in _FIELDS}  # type: ignore[literal-required]


def outcome_line(outcome: Outcome, output: Output) -> str:
    if outcome["score"] is None:
        return f"Round {outcome['round_id']} is void: no totals change."
    points = outcome["score"] + (outcome["streak_bonus"] or 0)
    verdict = output.paint("green", "right") if outcome["is_correct"] == 1 else output.paint("red", "wrong")
    return (
        f"Round {outcome['round_id']}: {outcome['prediction']} was {verdict}, {signed(points)} points, "
        f"{signed(outcome['pnl_usd'] or 0, 2)} USD, place {outcome['place']}"
    )
