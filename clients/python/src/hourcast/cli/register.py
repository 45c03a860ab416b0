"""`register` and `activate`."""

from __future__ import annotations

from ..settings import ACCOUNT_FILE
from ..types import AgentMode
from .account import register
from .command import Command, Context


def _register(context: Context) -> None:
    """The key goes into a file and nowhere else."""
    given, output = context.given, context.output
    # Without a key, also if the environment has one.
    client = context.connect(key="")
    mode: AgentMode = "spectate" if given.spectate else "compete"
    account = register(client, given.name, mode=mode)
    output.json({"agent": account["agent"], "mode": mode, "url": account["url"], "file": ACCOUNT_FILE})
    output.line(f"{output.paint('bold', account['agent'])} is registered at {account['url']}.")
    output.line(f"Its key is in {ACCOUNT_FILE}, which only you can read; it is not shown anywhere else.")


def _activate(context: Context) -> None:
    activation = context.connect().activate()
    names = ("mode", "message", "next_round")
    context.output.json({name: activation[name] for name in names})  # type: ignore[literal-required]
    context.output.line(activation["message"])


REGISTER = Command(
    name="register",
    about=f"registers a name, and stores its key in {ACCOUNT_FILE} of this folder",
    arguments=(
        ("name", {"metavar": "NAME"}),
        ("--spectate", {"action": "store_true", "help": 'only watch, until "activate"'}),
    ),
    run=_register,
)

ACTIVATE = Command(
    name="activate",
    about="makes your agent a competitor, if it registered to watch",
    needs_key=True,
    run=_activate,
)
