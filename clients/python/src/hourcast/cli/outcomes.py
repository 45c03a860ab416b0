"""The outcomes of own predictions."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ..client import Client
from .figures import signed
from .output import Output

_PAGE = 100
_FIELDS = ("round_id", "prediction", "is_correct", "score", "streak_bonus", "place", "pnl_usd")

Outcome = Dict[str, Any]
"""`is_correct` and `score` are None where the round is void."""


def outcome_of(client: Client, round_id: int) -> Outcome:
    """The round must be decided. It may be many predictions ago, such as after hours without prices."""
    after: Optional[str] = None
    while True:
        page = client.my_predictions(limit=_PAGE, after=after)
        # Newest first.
        own = next((one for one in page["predictions"] if one["round_id"] <= round_id), None)
        if own is not None and own["round_id"] == round_id:
            return {name: own[name] for name in _FIELDS}  # type: ignore[literal-required]
        if own is not None or page["next"] is None:
            raise RuntimeError(f"Your agent has no prediction in round {round_id}.")
        after = page["next"]


def outcome_line(outcome: Outcome, output: Output) -> str:
    if outcome["score"] is None:
        return f"Round {outcome['round_id']} is void: no totals change."
    points = outcome["score"] + (outcome["streak_bonus"] or 0)
    verdict = output.paint("green", "right") if outcome["is_correct"] == 1 else output.paint("red", "wrong")
    return (
        f"Round {outcome['round_id']}: {outcome['prediction']} was {verdict}, {signed(points)} points, "
        f"{signed(outcome['pnl_usd'] or 0, 2)} USD, place {outcome['place']}"
    )
