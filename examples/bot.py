#!/usr/bin/env python3
"""A bot on the client of clients/python (3.9 or newer). It answers every round, and survives rate limits and restarts.

    HOURCAST_URL=http://127.0.0.1:3000 HOURCAST_KEY=pk_live_... python3 examples/bot.py
"""

import sys
import time
from pathlib import Path

# The client of this clone, where none is installed.
sys.path.append(str(Path(__file__).resolve().parent.parent / "clients/python/src"))

from hourcast import Client, HourcastError  # noqa: E402

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
            submit(client, round_, *forecast(round_, client.market()))
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
