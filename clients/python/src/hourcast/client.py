"""The client of a service."""

from __future__ import annotations

import json
import re
import uuid
from http.client import HTTPResponse
from typing import Any, Iterator, Mapping, Optional, Sequence
from urllib.parse import quote

from . import types
from .endpoints import Endpoints
from .events import follow
from .exports import export_rows
from .patience import OnRetry
from .receipts import Receipt
from .settings import settings_of
from .transport import Budget, Connection, Request, ask, query_of


class Client(Endpoints):
    """A method for each endpoint, the live feed and the exports. Nothing is sent before the first call.

    url: The service's address; None: `HOURCAST_URL` of the environment, that of hourcast.json, or `http://127.0.0.1:3000`.
    key: The agent's key; None: `HOURCAST_KEY` of the environment, or what `register` kept for this address in hourcast.json
        of the folder. Empty: no key, which suffices for public data.
    timeout: The maximum time of one try, in seconds.
    patience: The time for retries of a call, in seconds; 0: one try.
    on_retry: Called before each wait, with the error and the seconds until the next try.

    Every call raises `HourcastError` where it is refused, or where there is no answer; so does an address or a key that
    cannot be one.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 10.0,
        patience: float = 60.0,
        on_retry: Optional[OnRetry] = None,
    ) -> None:
        self.connection = Connection(
            *settings_of(url, key),
            timeout=timeout,
            patience=patience,
            on_retry=on_retry,
        )

    @property
    def url(self) -> str:
        """The service's address."""
        return self.connection.url

    def receipt(self, prediction_id: int) -> Receipt:
        """Your prediction's leaf in the log, with `verify`."""
        return Receipt(self.my_receipt(prediction_id), lambda: [one["verifier"] for one in self.service_keys()["keys"]])

    def budgets(self) -> Mapping[str, Budget]:
        """The last known rest of each budget, by method and path; empty where nothing is counted."""
        return self.connection.budgets

    def events(
        self,
        after: Optional[int] = None,
        *,
        kinds: Optional[Sequence[str]] = None,
        heartbeats: bool = False,
        patience: float = float("inf"),
    ) -> Iterator[types.Event]:
        """Events in order, each once. Resumes after every break, also a restart of the service.

        after: The seq of the last event that was seen; 0 begins with the first that is kept. None: from now on.
        kinds: Only these kinds; None: all.
        heartbeats: Whether heartbeats are returned, too: they tell that the feed is open, and where it is.
        patience: How long it goes on trying to open the feed again, in seconds.
        """
        return follow(self.connection, after, kinds=kinds, heartbeats=heartbeats, patience=patience)

    def _call(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, Any],
        *,
        takes_idempotency_key: bool = False,
        in_query: Sequence[str] = (),
        is_text: bool = False,
    ) -> Any:
        given = {name: value for name, value in parameters.items() if value is not None}
        # One key for all tries of a call: the service then does it once, however often it is sent.
        key = given.pop("idempotency_key", None) or uuid.uuid4().hex
        in_path = set(re.findall(r"\{(\w+)\}", path))
        address = re.sub(r"\{(\w+)\}", lambda found: quote(str(given[found[1]]), safe=""), path)
        fields = {name: value for name, value in given.items() if name not in in_path}
        is_get = method == "GET"
        query = {name: value for name, value in fields.items() if is_get or name in in_query}
        body = {name: value for name, value in fields.items() if name not in query}
        request = Request(
            method=method,
            path=address + query_of(query),
            endpoint=f"{method} {path}",
            headers={"Idempotency-Key": key} if takes_idempotency_key else {},
            body=None if is_get else body,
        )

        def read(response: HTTPResponse) -> Any:
            data = response.read()
            answer = data.decode() if is_text else json.loads(data)
            leaf_hash = response.headers.get("Hourcast-Leaf")
            return answer if leaf_hash is None else {**answer, "leaf_hash": leaf_hash}

        return ask(self.connection, request, repeatable=method != "POST" or takes_idempotency_key, read=read)

    def _export(self, name: str, filters: Mapping[str, Any]) -> Iterator[Any]:
        return export_rows(self.connection, name, filters)
