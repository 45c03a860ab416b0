"""The checks of `doctor`."""

from __future__ import annotations

import math
import time
from typing import Callable, List, Mapping, NamedTuple, Optional, Tuple

from ..client import Client
from ..errors import HourcastError
from ..transport import Budget
from ..types import CurrentRound, Health, Market, OwnProfile
from .figures import signed
from .service_clock import seconds_of

_OFFSET_SECONDS = 2
"""A clock that differs by more than this affects forecasts."""
_SCARCE = 0.1
"""The check warns if this share of a budget or less is left."""
_AGAIN = 5
"""The number of past events that the check requests again."""


class Check(NamedTuple):
    """A check's finding.

    state: `ok`, `failed`, or `warning`: it works, with a caveat.
    detail: The finding, and its remedy.
    """

    name: str
    state: str
    detail: str


class Reached(NamedTuple):
    """`health` is None if the service is unreachable. `local` is the machine's time midway between request and answer."""

    check: Check
    health: Optional[Health]
    local: float


def checked(name: str, check: Callable[[], Check]) -> Check:
    """A check that cannot run counts as failed."""
    try:
        return check()
    except HourcastError as error:
        return Check(name, "failed", str(error))


def check_reach(client: Client) -> Reached:
    sent = time.time()
    began = time.perf_counter()
    try:
        health = client.health()
    except HourcastError as error:
        return Reached(Check("reach", "failed", str(error)), None, sent)
    took = time.perf_counter() - began
    check = Check("reach", "ok", f"{client.url} answers in {math.ceil(took * 1000)} ms")
    return Reached(check, health, sent + took / 2)


def check_version(health: Health, own: str) -> Check:
    """Names do not change within a major version, and before 1.0 within a minor one."""
    version = health["version"]
    told = f"service {version}, client {own}"
    if _line(version) == _line(own):
        return Check("version", "ok", told)
    return Check("version", "warning", f"{told}: install the client of the service's version")


def _line(version: str) -> List[str]:
    """Client and service of the same line work together."""
    return version.split(".")[: 2 if version.startswith("0.") else 1]


def check_clock(health: Health, local: float) -> Check:
    """`local` is the machine's time when the service wrote the answer."""
    clock = health["clock"]
    if clock["speed"] != 1:
        return Check("clock", "warning", f"runs {clock['speed']:g} times as fast as real time: {clock['now']}")
    offset = seconds_of(clock["now"]) - local
    detail = f"{signed(offset, 1)} s beside this machine's"
    if abs(offset) <= _OFFSET_SECONDS:
        return Check("clock", "ok", detail)
    return Check("clock", "warning", f"{detail}: use the service's clock, or set the machine's")


def check_market(health: Health, market: Market) -> Check:
    states = ", ".join(f"{one['source']} {one['state']}" for one in health["sources"])
    told = f"prices: {health['market_source']}{f' ({states})' if states else ''}, of {market['timestamp']}"
    if market["stale"]:
        return Check("market", "warning", f"{told}: they are stale")
    if market["warning"] is not None:
        return Check("market", "warning", f"{told}: {market['warning']}")
    return Check("market", "ok", told)


def check_agent(client: Client, has_key: bool) -> Tuple[List[Check], Optional[OwnProfile]]:
    """Checks the key, and the rights of its agent."""
    if not has_key:
        detail = 'missing: set HOURCAST_KEY, or run "register" in this folder'
        return [Check("key", "failed", detail)], None
    try:
        profile = client.me()
    except HourcastError as error:
        # Other refusals may have other causes than the key.
        return [Check("key" if error.status == 401 else "mode", "failed", str(error))], None
    agent = profile["agent"]
    is_competitor = agent["mode"] == "compete"
    told = agent["mode"] if is_competitor else f'{agent["mode"]}: "activate" makes it a competitor'
    key = Check("key", "ok", f"belongs to {agent['name']}, agent {agent['id']}")
    return [key, Check("mode", "ok" if is_competitor else "warning", told)], profile


def check_feed(client: Client) -> Check:
    """Opens the feed, then again from a few events earlier: it must return each of them, in order."""
    last = next(client.events(heartbeats=True, patience=0))["seq"]
    if last == 0:
        return Check("feed", "ok", "is open; it has no event yet")
    first = max(last - _AGAIN, 0) + 1
    seqs: List[int] = []
    beats = 0
    for event in client.events(first - 1, heartbeats=True, patience=0):
        # The second heartbeat comes 15 s later: events that have not come by then are missing.
        beats += event["kind"] == "HEARTBEAT"
        if event["kind"] != "HEARTBEAT":
            seqs.append(event["seq"])
        if beats > 1 or (seqs and seqs[-1] >= last):
            break
    # After a restore, earlier numbers may be missing. The events that come must be the last ones, without a gap.
    oldest = last - len(seqs) + 1
    if seqs and seqs == list(range(oldest, last + 1)):
        return Check("feed", "ok", f"resumes: events {oldest} to {last} came again, each one once")
    came = ", ".join(map(str, seqs)) or "none"
    return Check("feed", "failed", f"of events {first} to {last} came {came}")


def check_round(current: CurrentRound, profile: Optional[OwnProfile]) -> Check:
    round_ = current["round"]
    if round_ is None:
        return Check("round", "warning", "none is running")
    predictions = profile["recent_predictions"] if profile else []
    own = next((one for one in predictions if one["round_id"] == round_["id"]), None)
    if own is not None:
        return Check("round", "ok", f"{round_['id']} is answered: {own['prediction']}, {own['confidence']} %")
    minutes = math.ceil(current["time_remaining_seconds"] / 60)
    return Check("round", "warning", f"{round_['id']} is not answered; {minutes} min of the service's time are left")


def check_budgets(budgets: Mapping[str, Budget]) -> Check:
    if not budgets:
        return Check("budgets", "ok", "no limit is counted")
    name, least = min(budgets.items(), key=lambda entry: entry[1].remaining / entry[1].limit)
    is_scarce = least.remaining <= least.limit * _SCARCE
    told = f"{name} has {least.remaining} of {least.limit} requests left for {least.reset_seconds} s"
    return Check("budgets", "warning" if is_scarce else "ok", f"the scarcest: {told}")
