"""The live feed: server-sent events that resume."""

from __future__ import annotations

import json
from typing import Any, Iterator, Optional, Sequence

from .errors import HourcastError
from .patience import Patience
from .transport import Connection, Request, lines, sound

_SILENCE_SECONDS = 45.0
"""The service sends a heartbeat every 15 s: a stream that is silent for longer than this is dead."""


def follow(
    connection: Connection,
    after: Optional[int],
    *,
    kinds: Optional[Sequence[str]],
    heartbeats: bool,
    patience: float,
) -> Iterator[Any]:
    """The events behind `after`, then those that happen: in order, each once.

    A stream that breaks, also since the service restarts, is opened again behind the last event. Raises `HourcastError`
    where that cannot help, such as for events that are not kept any more.
    """
    waiting = Patience(patience, connection.on_retry)
    query = "" if kinds is None else f"?kinds={','.join(kinds)}"
    seen = after
    while True:
        headers = {"Accept": "text/event-stream"}
        if seen is not None:
            headers["Last-Event-ID"] = str(seen)
        request = Request("GET", f"/api/events{query}", "GET /api/events", headers)
        try:
            for data in _messages(lines(connection, request, _SILENCE_SECONDS)):
                event = sound(connection, _event_in, data)
                waiting.progress()
                is_beat = event["kind"] == "HEARTBEAT"
                is_news = seen is None or event["seq"] > seen
                # The first heartbeat has the number of the event before the first one.
                seen = max(seen or 0, event["seq"])
                if heartbeats if is_beat else is_news:
                    yield event
            raise HourcastError(f"{connection.url} has ended the feed.", "unreachable")
        except HourcastError as error:
            waiting.wait(error)


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
