"""Commands whose first word names an action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Tuple

from .command import Command, Context
from .exit_codes import UsageError


@dataclass(frozen=True)
class Action:
    """A part of a command.

    usage: The arguments after its name.
    words: The least and the greatest number of them.
    """

    usage: str
    words: Tuple[int, int]
    run: Callable[[Context, List[str]], None]


def command_of(
    name: str, about: str, actions: Dict[str, Action], options: Tuple[Tuple[str, Any], ...] = ()
) -> Command:
    """Without a word the first action runs. The key is needed."""

    def run(context: Context) -> None:
        called, *words = context.given.words or list(actions)[:1]
        action = actions.get(called)
        if action is None:
            raise UsageError(f"The first word must be one of {', '.join(actions)} (got {called}).")
        if not action.words[0] <= len(words) <= action.words[1]:
            raise UsageError(f"Usage: {f'{name} {called} {action.usage}'.strip()}.")
        action.run(context, words)

    usage = " | ".join(f"{called} {action.usage}".strip() for called, action in actions.items())
    return Command(name, about, run, (("words", {"metavar": "ACTION", "nargs": "*", "help": usage}), *options), needs_key=True)
