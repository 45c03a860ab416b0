#!/usr/bin/env python3
"""A bot in plain Python (3.9 or newer). It answers every round, and survives rate limits and restarts.

    HOURCAST_URL=http://127.0.0.1:3000 HOURCAST_KEY=pk_live_... python3 examples/bot.py
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("HOURCAST_URL", "http://127.0.0.1:3000")
KEY = os.environ.get("HOURCAST_KEY", "")
LOOK_EVERY_SECONDS = 2


def forecast(round_, market):
    """Your part: an answer and its probability in percent. This one bets on the last hour turning round."""
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


def ask(path, body=None, headers=None):
    """Asks until the service has an answer: it may be busy, restart, or be out of reach.

    Returns the status and the body of the answer, also of a refusal, which has an `error`.
    """
    pause = 0.25
    while True:
        request = urllib.request.Request(
            URL + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **(headers or {})},
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as refusal:
            if refusal.code != 429 and refusal.code < 500:
                return refusal.code, json.load(refusal)
            pause = float(refusal.headers.get("Retry-After", pause))
            problem = str(refusal.code)
        except (OSError, http.client.HTTPException, json.JSONDecodeError) as fault:
            # No connection, no answer in time, or half of one.
            problem = str(fault) or type(fault).__name__
        print(f"{problem}, again in {pause} s")
        # Not all bots at the same moment.
        time.sleep(pause * random.uniform(1, 1.25))
        pause = min(2 * pause, 30)


def submit(round_, prediction, confidence):
    """Submits once however often it is sent: with the same key the service gives its first answer again."""
    status, answer = ask(
        "/api/predictions",
        {"round_id": round_["id"], "prediction": prediction, "confidence": confidence},
        {"Idempotency-Key": f"round-{round_['id']}"},
    )
    if status == 401:
        sys.exit(f"HOURCAST_KEY must be the key of an agent. {answer['error']}")
    print(f"Round {round_['id']}: {round_['question']}")
    print(f"  {prediction}, {confidence} %" if status == 201 else f"  refused: {answer['error']}")


def tell_scores(told):
    """Tells what the predictions that have been scored since `told` have earned; returns the newest of them."""
    _, me = ask("/api/me")
    scored = [one for one in me.get("recent_predictions", []) if one["score"] is not None and one["round_id"] > told]
    for one in reversed(scored):
        verdict = "right" if one["is_correct"] else "wrong"
        print(f"Round {one['round_id']}: {one['prediction']} was {verdict}, {one['score']} points")
    return scored[0]["round_id"] if scored else told


def play():
    answered = told = 0
    while True:
        _, current = ask("/api/rounds/current")
        round_ = current.get("round")
        if round_ is not None and round_["id"] > answered:
            _, market = ask("/api/data/market")
            submit(round_, *forecast(round_, market))
            answered = round_["id"]
            told = tell_scores(told)
        time.sleep(LOOK_EVERY_SECONDS)


if __name__ == "__main__":
    # What is printed shows at once, also in a file.
    sys.stdout.reconfigure(line_buffering=True)
    try:
        play()
    except KeyboardInterrupt:
        pass
