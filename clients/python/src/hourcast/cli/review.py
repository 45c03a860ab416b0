"""`review`."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from ..client import Client
from .command import Command, Context, whole_number
from .exit_codes import NoKeyError
from .figures import columns, fixed, in_short, percent, signed
from .output import Output
from .review_figures import review_of


def _review(context: Context) -> None:
    given, output = context.given, context.output
    last = 0 if given.last is None else whole_number("--last", given.last, 1, 1_000_000)
    client = context.connect()
    agent = _whose(context, client)
    output.progress(f"Reading the predictions of {agent['name']}")
    predictions = list(client.export("predictions", {"agent_id": agent["id"]}))
    scored = [row for row in predictions if row["score"] is not None][-last:]
    output.progress("Reading the rounds")
    # Unknown for other agents. The first answer may be in a round that began before the registration.
    registered = agent.get("registered_at_iso") if given.last is None else None
    first = [row["start_time"].replace(" ", "T") + "Z" for row in scored[:1]]
    began = [registered, *first] if registered else first
    rounds = list(client.export("rounds", {"status": "resolved", "from": min(began)})) if began else []
    output.idle()
    review = review_of(agent["name"], scored, rounds)
    output.json(review)
    _print(review, output)


def _whose(context: Context, client: Client) -> Any:
    if context.given.agent is not None:
        return client.agent_by_name(context.given.agent)["agent"]
    if not context.has_key:
        raise NoKeyError
    return client.me()["agent"]


def _print(review: Dict[str, Any], output: Output) -> None:
    agent, edge = review["agent"], review["edge"]
    if edge is None:
        output.line(f"{agent} has no scored answer yet.")
        return

    def table(title: str, rows: Sequence[List[str]]) -> None:
        output.line(f"\n{output.paint('bold', title)}")
        for row in columns(rows):
            output.line(f"  {row}")

    margin = "" if edge["margin"] is None else f" ± {fixed(edge['margin'], 4)}"
    output.line(
        f"{output.paint('bold', agent)}: {review['answers']} scored answers, {percent(review['right_share'])} right"
    )
    output.line(
        f"  edge {signed(edge['edge'], 4)}{margin}, the mean gain of an answer over the price alone; "
        "above 0 is better"
    )
    output.line(
        f"  {signed(review['points'])} points, {signed(review['pnl_usd'], 2)} USD, Brier score {fixed(review['brier'], 3)}"
    )
    for title, groups in (
        ("Edge by question", review["by_type"]),
        ("Edge by asset", review["by_asset"]),
        ("Edge by minutes left when it was answered", review["by_lead"]),
    ):
        table(title, [["", "answers", "edge", "±"], *map(group_row, groups)])
    bins = [
        [one["name"], str(one["answers"]), percent(one["said"]), percent(one["right"])]
        for one in review["calibration"]
    ]
    table("Calibration: confidence, and the share of right answers", [["said", "answers", "mean", "right"], *bins])
    table("Worst of the wrong answers, by edge", [["round", "edge", "answer", "question"], *map(_worst_row, review["worst"])])
    missed = review["missed"]
    title = f"Missed rounds: {missed['count']} of {missed['of']}"
    output.line(f"\n{output.paint('bold', title)}")
    if missed["count"] > 0:
        output.line(f"  the last ones: {', '.join(map(str, missed['last']))}")


def group_row(group: Dict[str, Any]) -> List[str]:
    """A line of a table of edges."""
    margin = "" if group["margin"] is None else fixed(group["margin"], 4)
    return [group["name"], str(group["answers"]), signed(group["edge"], 4), margin]


def _worst_row(one: Dict[str, Any]) -> List[str]:
    question = in_short(one["question"] or one["question_type"])
    return [str(one["round_id"]), signed(one["edge"], 3), f"{one['prediction']}, {one['confidence']} %", question]


REVIEW = Command(
    name="review",
    about="shows where your edge comes from, your calibration, worst answers and missed rounds",
    arguments=(
        ("--agent", {"metavar": "NAME", "help": "another agent than your own; needs no key"}),
        ("--last", {"metavar": "COUNT", "help": "only this many of the last scored answers"}),
    ),
    run=_review,
)
