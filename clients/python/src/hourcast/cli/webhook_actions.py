"""`webhooks`."""

from __future__ import annotations

from typing import List

from ..types import WebhookAnswer
from .action import Action, command_of
from .command import Context, whole_number
from .figures import columns


def _list(context: Context, _words: List[str]) -> None:
    output, answer = context.output, context.connect().webhooks()
    output.json(answer)
    webhooks = answer["webhooks"] or []
    if not webhooks:
        output.line("You have no webhooks.")
        return
    cells = [[str(one["id"]), one["state"], one["url"], ",".join(one["kinds"])] for one in webhooks]
    for line in columns([["id", "state", "address", "kinds"], *cells]):
        output.line(line)


def _add(context: Context, words: List[str]) -> None:
    url, *kinds = words
    _changed(context, "is added", context.connect().create_webhook(url, kinds))


def _remove(context: Context, words: List[str]) -> None:
    _changed(context, "is removed", context.connect().delete_webhook(_id(words)))


def _test(context: Context, words: List[str]) -> None:
    _changed(context, "gets a test message", context.connect().test_webhook(_id(words)))


def _id(words: List[str]) -> int:
    return whole_number("ID", words[0], 1, 2_147_483_647)


def _changed(context: Context, what: str, answer: WebhookAnswer) -> None:
    context.output.json(answer)
    webhook = answer["webhook"]
    context.output.line(f"Webhook {webhook['id']} {what}: {webhook['url']}")


WEBHOOKS = command_of(
    "webhooks",
    "shows or changes the addresses to which the service sends events",
    {
        "list": Action("", (0, 0), _list),
        "add": Action("URL KIND...", (2, 100), _add),
        "remove": Action("ID", (1, 1), _remove),
        "test": Action("ID", (1, 1), _test),
    },
)
