"""Requests, and their errors."""

from __future__ import annotations

import errno
import http.client
import json
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, TypeVar

from .errors import HourcastError, refusal_of
from .patience import OnRetry, Patience
from .proxy import proxy_of

Answer = TypeVar("Answer")
Piece = TypeVar("Piece")


class Budget(NamedTuple):
    """The last known remainder of a budget: requests in its window, and seconds until its end."""

    limit: int
    remaining: int
    reset_seconds: int


@dataclass
class Connection:
    """A service's address, and the retry settings."""

    url: str
    key: Optional[str]
    timeout: float
    patience: float
    on_retry: Optional[OnRetry]
    budgets: Dict[str, Budget] = field(default_factory=dict)


class Request(NamedTuple):
    """A request; `endpoint` is the key of its budget."""

    method: str
    path: str
    endpoint: str
    headers: Mapping[str, str] = {}
    body: Optional[Mapping[str, Any]] = None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is for the service's address alone."""

    def redirect_request(self, *_anything: Any, **_more: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)
_NOT_SENT = {errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH}


def ask(connection: Connection, request: Request, *, repeatable: bool, read: Callable[[http.client.HTTPResponse], Answer]) -> Answer:
    """Returns the result of `read` for a successful answer.

    Retries with growing pauses for the connection's patience. A call that is not `repeatable` is retried only if the
    service has certainly not executed it. Raises `HourcastError`.
    """
    patience = Patience(connection.patience, connection.on_retry)
    while True:
        try:
            with opened(connection, request) as response:
                return read(response)
        except _FAILURES as cause:
            error = failure_of(cause, connection.url, connection.timeout)
            if not repeatable and not _is_undone(error):
                raise error from cause
            patience.wait(error)


def streamed_lines(connection: Connection, request: Request, silence: float) -> Iterator[str]:
    """The whole lines of a streamed answer; an incomplete last line is left out.

    Raises `HourcastError` if it breaks, or if no data comes for `silence` seconds.
    """
    try:
        with opened(connection, request, silence) as response:
            rest = b""
            while True:
                data = response.read1(65536)
                if not data:
                    return
                *whole, rest = (rest + data).split(b"\n")
                for line in whole:
                    yield read_piece(connection, lambda data: data.decode().rstrip("\r"), line)
    except _FAILURES as cause:
        raise failure_of(cause, connection.url, silence) from cause


def read_piece(connection: Connection, read: Callable[[Piece], Answer], piece: Piece) -> Answer:
    """Reads a piece of a stream. An unreadable piece counts as a broken stream, which is reopened."""
    try:
        return read(piece)
    except (ValueError, TypeError, KeyError) as cause:
        raise HourcastError(f"The stream of {connection.url} is invalid.", "broken_stream") from cause


def opened(connection: Connection, request: Request, timeout: Optional[float] = None) -> http.client.HTTPResponse:
    """A successful answer, its body unread. Raises a refusal as `HourcastError`, all else as `urllib` does."""
    headers = dict(request.headers)
    data = None
    if connection.key is not None:
        headers["Authorization"] = f"Bearer {connection.key}"
    if request.method != "GET":
        data = json.dumps(request.body or {}).encode()
        headers["Content-Type"] = "application/json"
    asked = urllib.request.Request(connection.url + request.path, data, headers, method=request.method)
    try:
        response: http.client.HTTPResponse = _OPENER.open(asked, timeout=timeout or connection.timeout)
    except urllib.error.HTTPError as refusal:
        with refusal:
            _note_budget(connection, request.endpoint, refusal.headers)
            if 300 <= refusal.code < 400:
                elsewhere = refusal.headers.get("Location", "another address")
                message = f"{connection.url} redirects to {elsewhere}: use the service's own address."
                raise HourcastError(message, "redirected") from None
            raise refusal_of(connection.url, refusal.code, refusal.headers, refusal.read()) from None
    _note_budget(connection, request.endpoint, response.headers)
    return response


_FAILURES = (HourcastError, OSError, http.client.HTTPException, ValueError)


def failure_of(cause: BaseException, url: str, timeout: float) -> HourcastError:
    """The error of a failed request."""
    if isinstance(cause, HourcastError):
        return cause
    reason = cause.reason if isinstance(cause, urllib.error.URLError) else cause
    if isinstance(reason, socket.timeout):
        error = HourcastError(f"{url} did not answer within {timeout:g} s.{proxy_of(url)}", "timeout")
    elif isinstance(reason, (json.JSONDecodeError, UnicodeDecodeError)):
        error = HourcastError(f"The answer of {url} is not JSON.", "unexpected_answer")
    else:
        number = getattr(reason, "errno", None)
        told = f" ({errno.errorcode[number]})" if isinstance(number, int) and number in errno.errorcode else ""
        error = HourcastError(f"{url} is out of reach{told}.{proxy_of(url)}", "unreachable")
    error.__cause__ = cause
    return error


def _is_undone(error: HourcastError) -> bool:
    """The service has certainly not executed the call."""
    cause = error.__cause__
    reason = cause.reason if isinstance(cause, urllib.error.URLError) else cause
    not_sent = isinstance(reason, socket.gaierror) or getattr(reason, "errno", None) in _NOT_SENT
    return error.status == 429 or (error.status is None and not_sent)


def _note_budget(connection: Connection, endpoint: str, headers: Message) -> None:
    values = [headers.get(f"X-RateLimit-{name}", "") for name in ("Limit", "Remaining", "Reset")]
    # A gateway's own headers may have other forms.
    if all(re.fullmatch("[0-9]+", value) for value in values):
        connection.budgets[endpoint] = Budget(*map(int, values))


def query_of(values: Mapping[str, Any]) -> str:
    """Parameters as the query of an address, with its question mark."""
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}
    return f"?{urllib.parse.urlencode(texts)}" if texts else ""
