"""The figures of scored answers."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence

from .figures import margin_of, mean_of, rounded

Row = Any
Group = Dict[str, Any]

_WORST = 10
_LAST_MISSED = 10
_BIN_PERCENT = 10
_LEADS = (5, 15, 30, 45, 60)
"""Upper bounds of the minutes left at the answer."""


def review_of(agent: str, scored: Sequence[Row], rounds: Sequence[Row]) -> Dict[str, Any]:
    """`scored` has the oldest first; `rounds` are the rounds decided in the same time.

    `edge` is the mean advantage over the price alone, from -2 to 2, and `margin` half of its 95 % interval. `worst` are
    wrong answers that the price alone would have beaten. `missed` are rounds decided without an answer: since
    registration for the own agent, since the first answer for others.
    """
    round_of = {one["id"]: one for one in rounds}
    known = [row for row in scored if row["edge"] is not None]
    wrong = [row for row in known if row["is_correct"] == 0 and row["edge"] < 0]
    answered = {row["round_id"] for row in scored}
    missed = [one["id"] for one in rounds if one["id"] not in answered]
    return {
        "agent": agent,
        "answers": len(scored),
        "points": sum((row["score"] or 0) + (row["streak_bonus"] or 0) for row in scored),
        "pnl_usd": rounded(sum(row["pnl_usd"] or 0 for row in scored), 2) if scored else None,
        "right_share": _mean([row["is_correct"] or 0 for row in scored]),
        "brier": _mean([row["brier"] or 0 for row in scored]),
        "edge": _edge_of(known) if known else None,
        "by_type": types_of(scored),
        "by_asset": _by_edge(_grouped(known, lambda row: _subject(round_of.get(row["round_id"])))),
        "by_lead": _in_order(_grouped(known, _lead_name)),
        "calibration": _calibration_of(scored),
        "worst": [_worst(row, round_of) for row in sorted(wrong, key=lambda row: float(row["edge"]))[:_WORST]],
        "missed": {"count": len(missed), "of": len(rounds), "last": missed[-_LAST_MISSED:]},
    }


def types_of(scored: Sequence[Row]) -> List[Group]:
    """Answers with a known edge, grouped by the question's type, the best first."""
    known = [row for row in scored if row["edge"] is not None]
    return _by_edge(_grouped(known, lambda row: row["question_type"] or ""))


def _mean(values: Sequence[float]) -> Optional[float]:
    return rounded(mean_of(values)) if values else None


def _grouped(rows: Sequence[Row], name_of: Callable[[Row], str]) -> List[Group]:
    groups: Dict[str, List[Row]] = {}
    for row in rows:
        groups.setdefault(name_of(row), []).append(row)
    return [{"name": name, **_edge_of(members)} for name, members in groups.items()]


def _edge_of(rows: Sequence[Row]) -> Dict[str, Any]:
    edges = [row["edge"] for row in rows]
    margin = margin_of(edges)
    return {
        "answers": len(edges),
        "edge": rounded(mean_of(edges)),
        "margin": None if margin is None else rounded(margin),
    }


def _by_edge(groups: List[Group]) -> List[Group]:
    return sorted(groups, key=lambda group: -float(group["edge"]))


def _in_order(groups: List[Group]) -> List[Group]:
    names = [_lead_called(bound) for bound in _LEADS]
    return sorted(groups, key=lambda group: names.index(group["name"]))


def _subject(round_: Optional[Row]) -> str:
    return (round_ or {}).get("subject") or "several"


def _lead_name(row: Row) -> str:
    minutes = (row["lead_seconds"] or 0) / 60
    return _lead_called(next((bound for bound in _LEADS if minutes <= bound), _LEADS[-1]))


def _lead_called(bound: int) -> str:
    """Such as `5-15 min`."""
    at = _LEADS.index(bound)
    return f"{_LEADS[at - 1] if at > 0 else 0}-{bound} min"


def _worst(row: Row, round_of: Dict[int, Row]) -> Dict[str, Any]:
    names = ("question_type", "prediction", "confidence", "edge", "pnl_usd")
    question = (round_of.get(row["round_id"]) or {}).get("question")
    return {"round_id": row["round_id"], "question": question, **{name: row[name] for name in names}}


def _calibration_of(scored: Sequence[Row]) -> List[Dict[str, Any]]:
    bins = []
    for start in range(0, 100, _BIN_PERCENT):
        end = 100 if start + _BIN_PERCENT == 100 else start + _BIN_PERCENT - 1
        rows = [row for row in scored if row["confidence"] is not None and start <= row["confidence"] <= end]
        if rows:
            bins.append(
                {
                    "name": f"{start}-{end} %",
                    "answers": len(rows),
                    "said": _mean([row["confidence"] / 100 for row in rows]),
                    "right": _mean([row["is_correct"] or 0 for row in rows]),
                }
            )
    return bins
