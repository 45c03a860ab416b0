"""`backtest`."""

from __future__ import annotations

import importlib.util
import json
import re
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from ..backtest import AsOfMarket, Past, PastRound, backtest, candle_folder, exported_rounds, rank_among
from ..backtest.as_of import program_input
from ..backtest.run import Agent
from .answer_program import answer_of, run_program
from .command import Command, Context, whole_number
from .exit_codes import DONE, FAILED, UsageError
from .figures import columns, fixed, percent, signed
from .output import Output
from .review import group_row
from .review_figures import types_of

_PROGRAM_SECONDS = 3600.0
"""Timeout of one answer: a whole hour, the most that a live round leaves."""
_FAILURES_SHOWN = 5
_DAYS = 30

_LEAK = "A model may know the outcomes of these rounds: --after-cutoff DATE leaves out those before the end of its training."


_SAMPLE = Path(__file__).parent.parent / "sample"
"""Candles of 14 days in the package; questions need those of a week."""
_SAMPLE_FROM, _SAMPLE_TO = datetime(2026, 1, 8, 1, tzinfo=timezone.utc), datetime(2026, 1, 15, tzinfo=timezone.utc)
_SAMPLE_NOTE = "The prices of the sample are simulated: they follow no exchange."


def _backtest(context: Context) -> int:
    given, output = context.given, context.output
    ending = threading.Event()
    agent = _agent_of(given, ending)
    minute = 0 if given.at is None else whole_number("--at", given.at, 0, 59)
    cutoff = _time_of("--after-cutoff", given.after_cutoff)
    output.progress("Reading the past")
    past = _past_of(context, minute)
    warning = _SAMPLE_NOTE if given.sample else _LEAK if cutoff is None else None
    if warning is not None:
        output.note(output.paint("yellow", warning))
    failures: List[Exception] = []

    def on_failure(round_: PastRound, error: Exception) -> None:
        failures.append(error)
        if len(failures) <= _FAILURES_SHOWN:
            output.note(f"{round_.hour_start:%Y-%m-%dT%H:%M:%S}.000Z is not answered: {error}")

    try:
        result, answers = backtest(
            past,
            agent,
            at=minute,
            after_cutoff=cutoff,
            on_round=lambda done: output.progress(f"Backtesting: {done} of {past.count} rounds"),
            on_failure=on_failure,
        )
    finally:
        ending.set()
    rank = _rank_of(context, result)
    output.idle()
    if given.output is not None:
        lines = "".join(f"{_compact(one)}\n" for one in answers)
        Path(given.output).write_text(lines, encoding="utf-8")
    by_type = types_of(answers)
    output.json({**result, "rank": rank, "by_type": by_type, "warning": warning})
    _print(result, rank, by_type, output)
    return FAILED if failures else DONE


def _agent_of(given: Any, ending: threading.Event) -> Agent:
    """The program of `--answer`, or the function of the module of `--agent`."""
    if (given.answer is None) == (given.agent is None):
        raise UsageError("Either --answer must name a program, such as './bot', or --agent a module, such as ./agent.py.")
    if given.answer is not None:
        command: str = given.answer
        return lambda market: run_program(command, _compact(program_input(market)), _PROGRAM_SECONDS, ending)
    function = _function_in(given.agent)

    def asked(market: AsOfMarket) -> Optional[Mapping[str, Any]]:
        answer = function(market)
        return None if answer is None else answer_of(answer)

    return asked


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _function_in(path: str) -> Any:
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    try:
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} is no module of Python")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:
        raise UsageError(f"--agent must be a module that can be loaded ({error}).") from error
    function = getattr(module, "answer", None)
    if not callable(function):
        raise UsageError(f"{path} must have a function called answer.")
    return function


_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)


def _time_of(name: str, text: Optional[str]) -> Optional[datetime]:
    """Times without a zone are UTC, as everywhere."""
    if text is None:
        return None
    try:
        if _TIME.fullmatch(text.upper()) is None:
            raise ValueError
        time = datetime.fromisoformat(re.sub("[zZ]$", "+00:00", text))
    except ValueError:
        raise UsageError(f"{name} must be a UTC time such as 2026-01-31 or 2026-01-31T12:00:00Z (got {text}).") from None
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)


def _past_of(context: Context, minute: int) -> Past:
    """The hours of the sample or a folder, or else the rounds of the service; default: of the last 30 days."""
    given = context.given
    start, end = _time_of("--from", given.from_), _time_of("--to", given.to)
    if given.sample:
        if given.candles is not None:
            raise UsageError("Only one of --sample and --candles must be given.")
        return candle_folder(_SAMPLE, start or _SAMPLE_FROM, end or _SAMPLE_TO)
    if given.candles is not None:
        if start is None or end is None:
            raise UsageError("With --candles, --from and --to must give the hours.")
        return candle_folder(given.candles, start, end)
    client = context.connect()
    newest = client.recent_rounds(limit=1)["rounds"]
    if start is None and newest:
        start = _time_of("--from", newest[0]["starts_at"][:19])
        start = start and start - timedelta(days=_DAYS)

    def on_list(name: str) -> None:
        context.output.progress(f"Reading the {name} of {client.url}")

    return exported_rounds(client, start, end, until_minute=minute, on_list=on_list)


def _rank_of(context: Context, result: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    if result["from"] is None or context.given.sample or (context.given.candles is not None and not context.given.rank):
        return None
    context.output.progress("Reading the predictions of the agents")
    filters = {"status": "resolved", "from": result["from"], "to": f"{result['to'][:-2]}01"}
    return rank_among(result, context.connect().export("predictions", filters))


def _print(result: Dict[str, Any], rank: Optional[Dict[str, Any]], by_type: List[Any], output: Output) -> None:
    edge, luck = result["edge"], result["luck"]
    left = f", {result['before_cutoff']} before the cutoff left out" if result["before_cutoff"] else ""
    without = f"{result['sat_out']} sat out, {result['failed']} failed"
    answers = output.paint("bold", f"{result['answers']} answers")
    output.line(f"{answers} in {result['rounds']} rounds{left} ({without})")
    if result["answers"] == 0:
        return
    if edge is None:
        output.line("  edge unknown: it needs 20 answers at minutes with known prices")
    else:
        reach = f"{signed(edge['low'], 4)} to {signed(edge['high'], 4)}"
        about = "the mean gain of an answer over the price alone"
        output.line(f"  edge {signed(edge['mean'], 4)} (95 %: {reach}), {about}")
    output.line(
        f"  {signed(result['points'])} points, {signed(result['pnl_usd'], 2)} USD, "
        f"{percent(result['right_share'])} right, Brier score {fixed(result['brier'], 3)}"
    )
    output.line(
        f"  better than {percent(luck['wins'])} of guessers by answers that were right, {percent(luck['pnl'])} by USD"
    )
    if rank is not None:
        names = (("points", "points"), ("pnl", "USD"), ("edge", "edge"))
        places = [f"{_place(rank[key])} by {name}" for key, name in names if rank[key] is not None]
        output.line(f"  among the agents of these rounds: {', '.join(places)}")
    if not by_type:
        return
    output.line(f"\n{output.paint('bold', 'Edge by question')}")
    for row in columns([["", "answers", "edge", "±"], *map(group_row, by_type)]):
        output.line(f"  {row}")


def _place(one: Dict[str, int]) -> str:
    return f"place {one['place']} of {one['of']}"


BACKTEST = Command(
    name="backtest",
    about="runs a program or a function on past rounds, and scores it by the rules of the service",
    arguments=(
        ("--answer", {"metavar": "COMMAND", "help": 'a program as for "watch"; on rounds of the service, market has only the assets of the round'}),
        ("--agent", {"metavar": "FILE", "help": "a module whose function answer(market) receives the market of that moment"}),
        ("--at", {"metavar": "MINUTE", "help": "of the hour, 0 to 59, at which it answers (0)"}),
        ("--candles", {"metavar": "FOLDER", "help": "with BTC-USD-1m.csv (5m, 1h, .csv.gz) and so on, instead of the rounds of the service"}),
        ("--sample", {"action": "store_true", "help": "a week of simulated prices, without any service"}),
        (
            "--from",
            {"dest": "from_", "metavar": "TIME", "help": "the first hour, such as 2026-01-31 or 2026-01-31T12:00:00Z"},
        ),
        ("--to", {"metavar": "TIME", "help": "the first hour that is left out"}),
        ("--after-cutoff", {"metavar": "DATE", "help": "leaves out rounds that a model may have seen"}),
        (
            "--rank",
            {"action": "store_true", "help": "with --candles: also its place among the service's agents in these hours"},
        ),
        ("--output", {"metavar": "FILE", "help": "where to write each answer, a JSON object a line"}),
    ),
    run=_backtest,
)
