"""`python3 -m hourcast COMMAND`."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from typing import Any, Dict, List, NoReturn, Optional

from .. import __version__
from ..client import Client
from ..errors import HourcastError
from ..settings import settings_of
from . import exit_codes
from .backtest import BACKTEST
from .command import Command, Context, whole_number
from .doctor import DOCTOR
from .export import EXPORT
from .init import INIT
from .limits import LIMITS
from .output import Output
from .predict import PREDICT
from .receipt import RECEIPT
from .record import RECORD
from .register import ACTIVATE, REGISTER
from .review import REVIEW
from .standing import STANDING
from .watch import WATCH
from .webhook_actions import WEBHOOKS

COMMANDS = (
    INIT,
    REGISTER,
    ACTIVATE,
    DOCTOR,
    PREDICT,
    WATCH,
    STANDING,
    WEBHOOKS,
    LIMITS,
    REVIEW,
    RECEIPT,
    RECORD,
    BACKTEST,
    EXPORT,
)
"""In the order in which a new user needs them."""

_PATIENCE_SECONDS = 10
"""Short, since a user waits for the command."""
_DAY_SECONDS = 86_400

_EPILOG = f"""\
environment:
  HOURCAST_URL  the address of the service
  HOURCAST_KEY  the key of your agent; otherwise the one that "register" stored in hourcast.json
  NO_COLOR      no colours

exit codes:
{exit_codes.TEXT}

"hourcast COMMAND --help" shows the options of a command."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise exit_codes.UsageError(f"{message[:1].upper()}{message[1:]}.")


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command, and returns its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    _write_utf8()
    output = Output("--json" in words)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        return _run(words, output)
    except BrokenPipeError:
        # A closed pipe, such as of `head`, is not an error.
        _discard_output()
        return exit_codes.DONE
    except (Exception, KeyboardInterrupt, exit_codes.Terminated) as error:
        output.idle()
        try:
            sys.stdout.flush()
            _report(error, words, output)
        except OSError:
            # Nothing can be written there, such as on a full disk: the error is reported elsewhere.
            _discard_output()
            output.is_json = False
            _report(error, words, output)
        return exit_codes.exit_code_of(error)


def _discard_output() -> None:
    """Otherwise the interpreter flushes what is unwritten at the end, and fails."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_utf8() -> None:
    """Pipes and files get UTF-8, whatever the machine's default encoding is."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if stream.isatty():
                # Characters that a terminal cannot show must not end the command.
                stream.reconfigure(errors="backslashreplace")
            else:
                stream.reconfigure(encoding="utf-8")


def _terminate(*_signal: Any) -> NoReturn:
    raise exit_codes.Terminated


def _run(words: List[str], output: Output) -> int:
    parser = _parser()
    if not words:
        print(parser.format_help(), file=sys.stderr, end="")
        return exit_codes.USAGE
    given = parser.parse_args(words)
    command: Command = given.command
    code = command.run(_context(command, given, output))
    output.idle()
    return code or exit_codes.DONE


def _parser() -> argparse.ArgumentParser:
    common = _Parser(add_help=False)
    common.add_argument("--url", help="the service; otherwise HOURCAST_URL, or http://127.0.0.1:3000")
    common.add_argument("--patience", metavar="SECONDS", help="how long to retry while it is out of reach (10)")
    common.add_argument("--json", action="store_true", help="writes JSON for programs, also for a failure")
    parser = _Parser(
        prog="hourcast",
        usage="hourcast COMMAND [OPTIONS]",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(prog="hourcast", metavar="COMMAND", required=True, title="commands")
    for command in COMMANDS:
        own = commands.add_parser(
            command.name,
            help=command.about,
            description=f"{command.about[0].upper()}{command.about[1:]}.",
            parents=[common],
        )
        own.set_defaults(command=command)
        for name, settings in command.arguments:
            own.add_argument(name, **settings)
    return parser


def _context(command: Command, given: argparse.Namespace, output: Output) -> Context:
    url, own_key = settings_of(given.url, None)
    key = own_key or ""
    if command.needs_key and not key:
        raise exit_codes.NoKeyError
    patience = _PATIENCE_SECONDS
    if given.patience is not None:
        patience = whole_number("--patience", given.patience, 0, _DAY_SECONDS)

    is_told = False

    def on_retry(error: HourcastError, seconds: float) -> None:
        nonlocal is_told
        if not is_told:
            output.note(f"{error} Retrying.")
        is_told = True
        output.progress(f"{error} Next try in {seconds:.1f} s")

    def connect(**options: Any) -> Client:
        settings: Dict[str, Any] = {"key": key, "patience": patience, "on_retry": on_retry, **options}
        return Client(url, **settings)

    return Context(connect, bool(key), given, output, __version__)


def _report(error: BaseException, words: List[str], output: Output) -> None:
    if isinstance(error, (KeyboardInterrupt, exit_codes.Terminated)):
        return
    if output.is_json:
        status = getattr(error, "status", None)
        waits = getattr(error, "retry_after", None)
        body = {"error": str(error), "code": exit_codes.code_of(error), "status": status, "retry_after": waits}
        output.json({name: value for name, value in body.items() if value})
        return
    output.note(str(error) or type(error).__name__)
    if isinstance(error, exit_codes.UsageError):
        known = [f"{word} " for word in words[:1] if any(word == one.name for one in COMMANDS)]
        output.note(f'"hourcast {"".join(known)}--help" says more.')
