"""The one error of this client."""

from __future__ import annotations

import json
import math
import re
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, List, Mapping, Optional

from .proxy import proxy_of
from .types import FieldError


class HourcastError(Exception):
    """A refusal of the service, or no answer from it.

    code: What went wrong, for programs: a code of the service, or one of `malformed_settings`, `unreachable`, `timeout`,
        `redirected`, `unexpected_answer` and `broken_stream`. New codes come with new versions of the service.
    status: The HTTP status; None where there is no answer.
    message: One sentence: what must hold, and what was given.
    retry_after: Whole seconds after which a new try makes sense; None where the service does not say.
    param: The parameter or field that is refused; None where it is none.
    errors: Every parameter and field that is refused.
    """

    def __init__(
        self,
        message: str,
        code: str,
        *,
        status: Optional[int] = None,
        retry_after: Optional[int] = None,
        param: Optional[str] = None,
        errors: Optional[List[FieldError]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.retry_after = retry_after
        self.param = param
        self.errors: List[FieldError] = errors or []


def refusal_of(url: str, status: int, headers: Message, body: bytes) -> HourcastError:
    """The error for an unsuccessful answer from `url`."""
    waits = _wait_in(headers)
    refusal = _error_body(body)
    if refusal is None:
        message = f"Status {status}, but no answer of Hourcast, came from {url}.{proxy_of(url)}"
        return HourcastError(message, "unexpected_answer", status=status, retry_after=waits)
    return HourcastError(
        refusal["error"],
        refusal["code"],
        status=status,
        retry_after=refusal.get("retry_after") if waits is None else waits,
        param=refusal.get("param"),
        errors=refusal.get("errors"),
    )


def _wait_in(headers: Message) -> Optional[int]:
    """Whole seconds; a proxy may write decimals, or a date, which counts from the answer's own."""
    text = headers.get("Retry-After") or ""
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return math.ceil(float(text))
    at = _seconds_in(text)
    if at is None:
        return None
    now = _seconds_in(headers.get("Date") or "")
    return max(0, math.ceil(at - (time.time() if now is None else now)))


def _seconds_in(date: str) -> Optional[float]:
    """The seconds since 1970 of a date as HTTP writes it."""
    try:
        return parsedate_to_datetime(date).timestamp() if date.endswith(" GMT") else None
    except (TypeError, ValueError):
        return None


def _error_body(body: bytes) -> Optional[Mapping[str, Any]]:
    try:
        refusal = json.loads(body)
    except ValueError:
        return None
    is_ours = isinstance(refusal, dict) and all(isinstance(refusal.get(name), str) for name in ("error", "code"))
    return refusal if is_ours else None
