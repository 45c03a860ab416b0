"""Does with the Python client what its one argument asks for, and prints what comes of it, a JSON value a line."""

import json
import re
import sys

from hourcast import Client, HourcastError


def show(value):
    print(json.dumps(value), flush=True)


def shown(error):
    names = ("code", "status", "message", "param", "retry_after")
    return {"error": {name: getattr(error, name) for name in names}}


asked = json.loads(sys.argv[1])
for settings in asked.get("constructed", []):
    try:
        show({"url": Client(**settings).url})
    except HourcastError as error:
        show(shown(error))
settings = {name: asked[name] for name in ("url", "key", "timeout", "patience") if name in asked}
try:
    client = Client(on_retry=lambda error, wait: show({"retried": error.code, "wait": wait}), **settings)
    if "method" in asked:
        name = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", asked["method"])
        show({"answer": getattr(client, name)(**asked.get("parameters", {}))})
    for event in client.events(**asked["events"]) if "events" in asked else ():
        show(event)
    for row in client.export(asked["rows"]) if "rows" in asked else ():
        show(row)
except HourcastError as error:
    show(shown(error))
