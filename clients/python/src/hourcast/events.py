"""The live feed: server-sent events that resume."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Iterator, Optional, Sequence

from .errors import HourcastError
from .patience import Patience
from .transport import Connection, Request, ask, read_piece, streamed_lines

_SILENCE_SECONDS = 45.0
"""The service sends a heartbeat every 15 s: a stream that is silent for longer than this is dead."""

_SEGMENT_EVENTS = 1000
"""Segment n has the events from (n - 1) * 1000 + 1 to n * 1000."""


def follow(
    connection: Connection,
    after: Optional[int],
    *,
    kinds: Optional[Sequence[str]],
    heartbeats: bool,
    patience: float,
) -> Iterator[Any]:
    """The events behind `after`, then those that happen: in order, each once.

    More than a segment of past events comes by segments, which caches keep. A stream that breaks, also since the service
    restarts, is opened again behind the last event. Raises `HourcastError` where that cannot help, such as for events that
    are not kept any more.
    """
    # The feed outlasts any fault of the service.
    waiting = Patience(patience, connection.on_retry, passing_from=500)
    query = "" if kinds is None else f"?kinds={','.join(kinds)}"
    seen = after
    is_behind = after is not None

    def found() -> Iterator[Any]:
        nonlocal is_behind, seen
        if is_behind and seen is not None:
            head = _read(connection, "/api/events/head")
            # The service refuses a place before its first stored event.
            if seen == 0 and head is not None:
                seen = int(head["oldest_seq"]) - 1
            if head is not None:
                yield from _stored_events(connection, head, seen)
        is_behind = False
        headers = {"Accept": "text/event-stream"}
        if seen is not None:
            headers["Last-Event-ID"] = str(seen)
        request = Request("GET", f"/api/events{query}", "GET /api/events", headers)
        for data in _messages(streamed_lines(connection, request, _SILENCE_SECONDS)):
            yield read_piece(connection, _event_in, data)

    while True:
        try:
            for event in found():
                waiting.progress()
                is_beat = event["kind"] == "HEARTBEAT"
                is_news = seen is None or event["seq"] > seen
                # The first heartbeat has the number of the event before the first one.
                seen = max(seen or 0, event["seq"])
                is_wanted = kinds is None or event["kind"] in kinds
                if heartbeats if is_beat else is_news and is_wanted:
                    yield event
            raise HourcastError(f"{connection.url} has ended the feed.", "unreachable")
        except HourcastError as error:
            waiting.wait(error)


def _read(connection: Connection, path: str) -> Any:
    """A stored part of the feed. None for 404: an older service has none, or the segment has deleted events."""
    # The feed has a patience of its own.
    once = replace(connection, patience=0.0)
    try:
        return ask(once, Request("GET", path, "GET /api/events/head"), repeatable=True, read=json.load)
    except HourcastError as error:
        if error.status == 404:
            return None
        raise


def _stored_events(connection: Connection, head: Any, seen: int) -> Iterator[Any]:
    """The events of the segment after `seen`, of those that follow, and of the head; none unless more than a segment is missing."""
    number = seen // _SEGMENT_EVENTS + 1
    first, last = head["first_segment"], head["last_segment"]
    # The stream has the events before the first whole segment.
    if first is None or last is None or number < first or head["last_seq"] - seen <= _SEGMENT_EVENTS:
        return
    while number <= last:
        segment = _read(connection, head["segment_path"].replace("{n}", str(number)))
        # The stream decides.
        if segment is None:
            return
        yield from segment["events"]
        number = segment["next_segment"]
    yield from head["events"]


def _event_in(data: str) -> Any:
    """Raises for what is no event."""
    event = json.loads(data)
    if isinstance(event["seq"], int) and isinstance(event["kind"], str):
        return event
    raise TypeError("An event must have a seq and a kind")


def _messages(stream: Iterator[str]) -> Iterator[str]:
    """The data of each whole message of server-sent events."""
    data = ""
    for line in stream:
        if line.startswith("data:"):
            data += line[len("data:") :]
        elif line == "" and data:
            yield data
            data = ""
