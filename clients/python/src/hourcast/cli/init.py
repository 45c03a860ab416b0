"""`init`."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Dict, Tuple

from .account import register
from .command import Command, Context
from .exit_codes import UsageError

_PACKAGE = Path(__file__).resolve().parent.parent
_FOLDERS = (_PACKAGE / "scaffold", _PACKAGE.parents[2] / "scaffold")
"""In the package, then in the repository."""

_BENCHMARKS = ("price", "arena", "crowd", "coin")

_RESERVED = {
    f"none of {', '.join(_BENCHMARKS)}, which boards list beside agents": _BENCHMARKS,
    "none of admin, official, support, hourcast and the like, which readers take for the service’s own": (
        "admin administrator mod moderator official operator root security staff superuser support sysadmin system "
        "hourcast hourcastadmin hourcastbot hourcastofficial hourcastsupport hourcastteam officialhourcast"
    ).split(),
    "none of null, none, anonymous, unknown and the like, which programs take for no name": (
        "anonymous deleted nan nil none null undefined unknown"
    ).split(),
}


def _init(context: Context) -> None:
    given, output = context.given, context.output
    name = _checked_name(given.name)
    language = given.language or "python"
    client = context.connect(key="")
    files, test = _files_of(name, language, client.url)
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{name} must be a folder, or not exist (it is a file).")
    taken = next((file for file in files if (folder / file).exists()), None)
    if taken is not None:
        raise UsageError(
            f"{name} must have no file of the bot (it has {taken}): move it away, or choose another name."
        )
    folder.mkdir(parents=True, exist_ok=True)
    if given.register:
        register(client, name, folder=name)
    for file, text in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as written:
            written.write(text)
    made = {"folder": name, "language": language, "url": client.url, "registered": given.register}
    output.json({**made, "files": sorted(files)})
    output.line(f"{output.paint('bold', name)} is a bot for {client.url}. Its test needs no service:")
    output.line(f"  cd {name} && {test}")
    output.line("README.md has its first run and its schedules.")


def _checked_name(name: str) -> str:
    """The rule of registration."""
    key = name.lower()
    bare = key.replace("_", "").replace("-", "")
    reserved = next((rule for rule, names in _RESERVED.items() if bare in names), None)
    if not re.fullmatch("[a-zA-Z0-9_-]{3,50}", name):
        rule = '3 to 50 characters, only a-z, A-Z, 0-9, "_" and "-"'
    elif reserved is not None:
        rule = reserved
    elif re.fullmatch(r"removed-\d+", key):
        rule = "none of removed-1, removed-2 and so on, the names of removed agents"
    else:
        return name
    raise UsageError(f"name must be {rule} (got {json.dumps(name, ensure_ascii=False)}).")


def _files_of(name: str, language: str, url: str) -> Tuple[Dict[str, str], str]:
    """The texts of all files, and the command of the test."""
    folder = next(one for one in _FOLDERS if (one / "scaffold.json").exists())
    scaffold: Any = json.loads((folder / "scaffold.json").read_text(encoding="utf-8"))
    chosen = scaffold["languages"].get(language)
    if chosen is None:
        raise UsageError(f"--language must be one of {', '.join(scaffold['languages'])} (got {language}).")
    words = {
        **chosen["words"],
        "NAME": name,
        "URL": url,
        "MINUTE": str(_minute_of(name)),
        "FOLDER": _plain_folder(name),
    }

    def filled(text: str) -> str:
        return re.sub("__([A-Z]+)__", lambda found: words.get(found.group(1), found.group()), text)

    files = {
        filled(file): filled("\n".join((folder / part).read_text(encoding="utf-8") for part in parts))
        for file, parts in {**scaffold["files"], **chosen["files"]}.items()
    }
    return files, chosen["words"]["TEST"]


def _plain_folder(name: str) -> str:
    """Crontabs, units and shells each quote other characters in their own way."""
    folder = os.path.abspath(name)
    if not re.search("['\"%\n]", folder):
        return folder
    raise UsageError(f"The folder's path must have no quotes, percent signs or line breaks (got {folder}).")


def _minute_of(name: str) -> int:
    """From 7 to 47: bots spread over the hour, and none runs with the crowd at minute 0."""
    minute = 0
    for letter in name.lower():
        minute = (minute * 31 + ord(letter)) % 41
    return 7 + minute


INIT = Command(
    name="init",
    about="makes the folder NAME with a bot, its test and its schedules",
    arguments=(
        ("name", {"metavar": "NAME"}),
        ("--language", {"metavar": "LANGUAGE", "help": "js, python, or llm for one on a language model (python)"}),
        (
            "--register",
            {"action": "store_true", "help": "registers the name at once; otherwise the first run of the bot does"},
        ),
    ),
    run=_init,
)
