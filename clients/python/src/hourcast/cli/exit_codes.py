"""The exit codes of commands."""

from __future__ import annotations

from ..errors import HourcastError

DONE = 0
FAILED = 1
"""The service refused, or a check failed."""
USAGE = 2
"""Wrong usage: unknown, missing or invalid arguments."""
UNREACHABLE = 3
"""The service is unreachable or unavailable."""
KEY = 4
"""No key, or an invalid one."""
INTERRUPTED = 130
TERMINATED = 143

TEXT = """\
  0  done
  1  refused by the service, or a check failed
  2  wrong usage
  3  the service is out of reach
  4  no key, or one that is not valid
  130, 143  ended by Ctrl-C or SIGTERM"""


class UsageError(Exception):
    """The command was called with unknown, missing or invalid arguments."""


class NoKeyError(Exception):
    """The command needs a key, and there is none."""

    def __init__(self) -> None:
        super().__init__(
            'This needs the key of an agent: set HOURCAST_KEY, or run "hourcast register NAME" in this folder.'
        )


class Terminated(BaseException):
    """SIGTERM ended the command."""


def exit_code_of(error: BaseException) -> int:
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, Terminated):
        return TERMINATED
    if isinstance(error, UsageError):
        return USAGE
    if isinstance(error, NoKeyError):
        return KEY
    if not isinstance(error, HourcastError):
        return FAILED
    if error.code == "malformed_settings":
        return USAGE
    if error.code == "malformed_key" or error.status == 401:
        return KEY
    return UNREACHABLE if error.status in (None, 502, 503, 504) else FAILED


def code_of(error: BaseException) -> str:
    """The error for programs."""
    if isinstance(error, HourcastError):
        return error.code
    if isinstance(error, UsageError):
        return "usage"
    return "missing_key" if isinstance(error, NoKeyError) else "failed"
