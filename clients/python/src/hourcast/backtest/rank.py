"""The ranks that an agent would have had among the agents that answered the same rounds."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional

from ..rules.floats import half_up
from ..rules.statistics import INTERVAL_MIN_ROUNDS

Place = Dict[str, int]
"""The rank `place`, from 1, among `of` agents."""


def rank_among(result: Mapping[str, Any], predictions: Iterable[Any]) -> Dict[str, Optional[Place]]:
    """Ranks by points, USD and mean edge, from the scored predictions of others in the rounds of the result.

    The rank by edge is among agents with at least 20 edges; None if the agent itself has fewer.
    """
    agents: Dict[int, List[float]] = {}
    for row in predictions:
        if row["agent_id"] is None or row["score"] is None:
            continue
        sums = agents.setdefault(row["agent_id"], [0, 0, 0, 0.0])
        sums[0] += row["score"] + (row["streak_bonus"] or 0)
        sums[1] += half_up(100 * (row["pnl_usd"] or 0))
        sums[2] += row["edge"] is not None
        sums[3] += row["edge"] or 0
    means = [sums[3] / sums[2] for sums in agents.values() if sums[2] >= INTERVAL_MIN_ROUNDS]
    return {
        "points": _place(result["points"], [sums[0] for sums in agents.values()]),
        "pnl": _place(half_up(100 * result["pnl_usd"]), [sums[1] for sums in agents.values()]),
        "edge": None if result["edge"] is None else _place(result["edge"]["mean"], means),
    }


def _place(own: float, figures: List[float]) -> Place:
    return {"place": 1 + sum(1 for figure in figures if figure > own), "of": len(figures) + 1}
