"""The one error of this client."""

from __future__ import annotations

import json
from email.message import Message
from typing import TYPE_CHECKING, Any, List, Mapping, Optional

if TYPE_CHECKING:
    from .types import FieldError


class HourcastError(Exception):
    """A refusal of the service, or no answer from it.

    code: What went wrong, for programs: a code of the service, or one of `malformed_settings`, `unreachable`, `timeout`,
        `redirected` and `unexpected_answer`. New codes come with new versions of the service.
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


def refusal_of(url: str, status: int, headers: Message[str, str], body: bytes) -> HourcastError:
    """The error of an answer that is none of the good ones."""
    header = headers.get("Retry-After") or ""
    # A proxy may write a date, which is of no use on a clock that runs otherwise.
    waits = int(header) if header.isdigit() else None
    refusal = _error_body(body)
    if refusal is None:
        message = f"Status {status} without an answer of Hourcast came from {url}."
        return HourcastError(message, "unexpected_answer", status=status, retry_after=waits)
    return HourcastError(
        refusal["error"],
        refusal["code"],
        status=status,
        retry_after=refusal.get("retry_after") if waits is None else waits,
        param=refusal.get("param"),
        errors=refusal.get("errors"),
    )


def _error_body(body: bytes) -> Optional[Mapping[str, Any]]:
    try:
        refusal = json.loads(body)
    except ValueError:
        return None
    is_ours = isinstance(refusal, dict) and all(isinstance(refusal.get(name), str) for name in ("error", "code"))
    return refusal if is_ours else None
