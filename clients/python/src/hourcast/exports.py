"""Exports: lists of any length, which are continued where their stream breaks."""

from __future__ import annotations

import json
from typing import Any, Iterator, List, Mapping, Optional

from .errors import HourcastError
from .patience import Patience
from .transport import Connection, Request, query_of, read_piece, streamed_lines

_SILENCE_SECONDS = 60.0
"""Rows come page by page, and a page may take the service some time."""


def export_rows(connection: Connection, name: str, filters: Mapping[str, Any]) -> Iterator[Any]:
    """The rows of an export as dictionaries."""
    for line in export_lines(connection, name, filters, "ndjson"):
        yield json.loads(line)


def export_lines(connection: Connection, name: str, filters: Mapping[str, Any], format: str) -> Iterator[str]:
    """The rows of an export as text.

    The service cuts one that takes long, always behind a whole row: it is continued behind that one as long as rows
    keep coming.
    """
    path = f"/api/export/{name}.{format}"
    patience = Patience(connection.patience, connection.on_retry)
    after: Optional[str] = None
    while True:
        query = query_of({**filters, **({} if after is None else {"after": after})})
        is_head = format == "csv"
        try:
            stream = streamed_lines(connection, Request("GET", path + query, f"GET {path}"), _SILENCE_SECONDS)
            for line in _whole_rows(stream) if format == "csv" else stream:
                is_repeated_head = is_head and after is not None
                if not is_head:
                    after = read_piece(connection, _id_in_csv if format == "csv" else _id_in_json, line)
                patience.progress()
                is_head = False
                if not is_repeated_head:
                    yield line
            return
        except HourcastError as error:
            patience.wait(error)


def _whole_rows(stream: Iterator[str]) -> Iterator[str]:
    """The rows of a CSV file: a cell may hold line breaks, and a row is whole once its quotes are even."""
    begun: List[str] = []
    for line in stream:
        begun.append(line)
        row = "\n".join(begun)
        if row.count('"') % 2 == 0:
            yield row
            begun = []


def _id_in_csv(line: str) -> str:
    """Every export has its id first."""
    return line.split(",", 1)[0]


def _id_in_json(line: str) -> str:
    """Raises if the line is not a row."""
    identity = json.loads(line)["id"]
    if isinstance(identity, int):
        return str(identity)
    raise TypeError("A row must have an id")
