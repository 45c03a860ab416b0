#!/usr/bin/env python3
"""A bot on the client of clients/python (3.9 or newer). It answers every round, and survives rate limits and restarts.

    HOURCAST_URL=http://127.0.0.1:3000 HOURCAST_KEY=pk_live_... python3 examples/bot.py
"""

import sys
import time
from pathlib import Path

CLIENTS = Path(__file__).resolve().parent.parent / "clients"
# The forecast of a new bot, and the client of this clone, where none is installed.
sys.path.insert(0, str(CLIENTS / "scaffold/python"))
sys.path.append(str(CLIENTS / "python/src"))

from bot import forecast  # noqa: E402
from hourcast import Client, HourcastError  # noqa: E402

LOOK_EVERY_SECONDS = 2


def submit(client, round_, prediction, confidence):
    """Submits, once however often it is sent. What is refused costs the round alone, unless nothing else can follow."""
    print(f"Round {round_['id']}: {round_['question']}")
    try:
        client.predict(round_["id"], prediction, confidence)
        print(f"  {prediction}, {confidence} %")
    except HourcastError as refusal:
        if refusal.status == 401:
            raise
        print(f"  refused: {refusal}")


def tell_scores(client, told):
    """Tells what the predictions that have been scored since `told` have earned; returns the newest of them."""
    recent = client.me()["recent_predictions"]
    scored = [one for one in recent if one["score"] is not None and one["round_id"] > told]
    for one in reversed(scored):
        verdict = "right" if one["is_correct"] else "wrong"
        print(f"Round {one['round_id']}: {one['prediction']} was {verdict}, {one['score']} points")
    return scored[0]["round_id"] if scored else told


def play():
    # Tries each call until the service answers: it may be busy, restart, or be out of reach.
    client = Client(
        patience=float("inf"), on_retry=lambda error, seconds: print(f"{error} Again in {seconds:.1f} s")
    )
    answered = told = 0
    while True:
        round_ = client.current_round()["round"]
        if round_ is not None and round_["id"] > answered:
            submit(client, round_, *forecast(round_, client.market(), []))
            answered = round_["id"]
            told = tell_scores(client, told)
        time.sleep(LOOK_EVERY_SECONDS)


if __name__ == "__main__":
    # What is printed shows at once, also in a file.
    sys.stdout.reconfigure(line_buffering=True)
    try:
        play()
    except KeyboardInterrupt:
        pass
