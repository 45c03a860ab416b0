"""`python3 bot.py` answers the running round of Hourcast and ends; with --stay it answers every round. Python 3.9 or newer."""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ASSETS = ["BTC", "ETH", "SOL", "AVAX", "DOGE", "ADA", "LINK", "DOT"]


def forecast(round_, market, recent):
    """Your part: an answer and its probability in percent. This one expects the last hour to turn round.

    `market` has present prices, `recent` the last rounds.
    """
    changes = {symbol: asset["change_1h"] for symbol, asset in market["assets"].items()}
    choices, params = round_["choices"], round_["params"]
    if round_["prediction_format"] == "choice":
        rank = max if round_["question_type"] == "worst_performer" else min
        return rank(choices, key=lambda symbol: changes[symbol]), round(100 / len(choices)) + 1
    if params["subject"] is None:
        change = sum(changes.values()) / len(changes)
    else:
        change = changes[params["subject"]]
    falls_next = change > 0
    wants_fall = params["operator"] == "<="
    return ("YES" if falls_next == wants_fall else "NO"), 52


def _standing(question_type, prediction, confidence):
    return {"question_type": question_type, "prediction": prediction, "confidence": confidence}


# Given by the service in hours in which this program does not run. It sets them unless the agent has some.
STANDING = [
    _standing("relative", ASSETS, 50),
    *(_standing(kind, ASSETS, 15) for kind in ("best_performer", "worst_performer", "podium", "volatility")),
    *(
        _standing(kind, "NO", 50)
        for kind in ("direction", "threshold", "touch", "magnitude", "range", "momentum", "beat_market", "breadth")
    ),
]

FOLDER = Path(__file__).resolve().parent
ACCOUNT = FOLDER / "hourcast.json"
PASSING = (408, 429, 502, 503, 504)
PATIENCE_SECONDS = 300
# No answer, a part of one, or a proxy's page.
LOST = (OSError, http.client.HTTPException, ValueError)


def read_settings():
    """Variables of the environment precede those of settings.env."""
    if (FOLDER / "settings.env").exists():
        for line in (FOLDER / "settings.env").read_text(encoding="utf-8").splitlines():
            name, equals, value = line.partition("=")
            if equals and not name.startswith("#"):
                os.environ.setdefault(name.strip(), value.strip())


def service():
    return (os.environ.get("HOURCAST_URL") or "http://127.0.0.1:3000").rstrip("/")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is for the service's address alone."""

    def redirect_request(self, *_):
        return None


class Refusal(Exception):
    """A refusal by the service, or no answer (status 0)."""

    def __init__(self, message, status, waits=0.0):
        super().__init__(message)
        self.status = status
        self.waits = waits


def call(method, path, key=None, body=None, headers=None, patience=PATIENCE_SECONDS):
    """The answer's body. Passing failures are tried again until `patience` seconds are over."""
    end = time.monotonic() + patience
    seconds = 1.0
    while True:
        try:
            return _call_once(method, path, key, body, headers or {})
        except Refusal as refusal:
            wait = max(seconds, refusal.waits)
            if refusal.status not in (0, *PASSING) or time.monotonic() + wait > end:
                raise
            print(f"{refusal} Again in {wait:.0f} s")
        time.sleep(wait)
        seconds = min(2 * seconds, 60.0)


def _call_once(method, path, key, body, headers):
    sent = {"content-type": "application/json", **headers}
    if key:
        sent["authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(service() + path, data=data, headers=sent, method=method)
    try:
        # Made for each request: settings.env may name a proxy.
        with urllib.request.build_opener(_NoRedirects).open(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        try:
            message = json.load(error)["error"]
        except (*LOST, KeyError, TypeError):
            message = f"{service()} answers {error.code}."
        waits = error.headers.get("retry-after") or ""
        raise Refusal(message, error.code, float(waits) if waits.isdigit() else 0.0) from None
    except LOST as error:
        raise Refusal(f"{service()} is out of reach ({getattr(error, 'reason', error)}).", 0) from None


def own_key():
    """The key of HOURCAST_KEY or of hourcast.json.

    Without one the name is registered, and the key is stored there for its owner alone.
    """
    if os.environ.get("HOURCAST_KEY"):
        return os.environ["HOURCAST_KEY"]
    if ACCOUNT.exists():
        account = json.loads(ACCOUNT.read_text(encoding="utf-8"))
        if account["url"] == service():
            return account["key"]
        raise Refusal(f"hourcast.json must be for {service()} (it is for {account['url']}).", 0)
    # The file is created first: a key is shown once.
    descriptor = os.open(ACCOUNT, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        try:
            body = {"name": os.environ.get("HOURCAST_AGENT")}
            registration = call("POST", "/api/agents/register", body=body, patience=0)
            account = {"url": service(), "agent": registration["agent"]["name"], "key": registration["api_key"]}
            file.write(json.dumps(account, indent=2) + "\n")
        except BaseException:
            ACCOUNT.unlink()
            raise
    print(f"{account['agent']} is registered; its key is in hourcast.json.")
    return account["key"]


def answer_round(key, minute=0, answered=None):
    """Answers the running round. Returns its id; None for none, or for one that is not yet at `minute`."""
    current = call("GET", "/api/rounds/current")
    round_ = current["round"]
    if round_ is None or round_["id"] == answered or current["time_remaining_seconds"] > 3600 - 60 * minute:
        return None
    if not call("GET", "/api/me/standing", key)["rows"]:
        call("PUT", "/api/me/standing", key, {"rows": STANDING})
    recent = call("GET", "/api/rounds/recent?limit=50")["rounds"]
    prediction, confidence = forecast(round_, call("GET", "/api/data/market"), recent)
    body = {"round_id": round_["id"], "prediction": prediction, "confidence": confidence}
    try:
        call("POST", "/api/predictions", key, body, {"idempotency-key": f"bot-{round_['id']}"})
        print(f"Round {round_['id']}: {round_['question']}\n  {prediction}, {confidence} %")
    except Refusal as refusal:
        if refusal.status != 409:
            refusal.refused = round_["id"]
            raise
        print(f"Round {round_['id']}: {refusal}")
    return round_["id"]


def stay(key):
    """Answers every round at the minute of HOURCAST_MINUTE, until it is ended. A failure costs one try, a refusal the round."""
    answered = None
    while True:
        try:
            minute = int(os.environ.get("HOURCAST_MINUTE") or 0)
            answered = answer_round(key, minute, answered) or answered
        except Exception as error:
            status = getattr(error, "status", None)
            if status in (401, 403):
                raise
            # Such as a locked round: refused tries would spend the budget of the next ones.
            if status == 400:
                answered = getattr(error, "refused", answered)
            print(error)
        time.sleep(float(os.environ.get("HOURCAST_LOOK_SECONDS") or 20))


if __name__ == "__main__":
    # Lines show at once, also in a file.
    sys.stdout.reconfigure(line_buffering=True)
    read_settings()
    try:
        if "--stay" in sys.argv:
            stay(own_key())
        elif answer_round(own_key()) is None:
            print("No round is running.")
    except KeyboardInterrupt:
        pass
    except Refusal as refusal:
        sys.exit(str(refusal))
