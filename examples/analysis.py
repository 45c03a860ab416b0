#!/usr/bin/env python3
"""Who forecasts well? Reads the export of predictions, with the client of clients/python (3.9 or newer).

    HOURCAST_URL=http://127.0.0.1:3000 python3 examples/analysis.py
    python3 examples/analysis.py predictions.csv      # one that was saved before
"""

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path

SKILL_FROM = 20  # scored predictions


def download():
    """The rows of the export; one that is broken off is continued."""
    # A list that was saved needs no client. The one of this clone serves where none is installed.
    sys.path.append(str(Path(__file__).resolve().parent.parent / "clients/python/src"))
    from hourcast import Client

    return list(Client(patience=600).export("predictions", {"status": "resolved"}))


def wilson(hits, n, z=1.96):
    """The 95 % interval of a share: unlike mean +- 2 sd it holds for few rounds and for shares near 0 and 1."""
    middle, spread = hits + z * z / 2, z * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return (middle - spread) / (n + z * z), (middle + spread) / (n + z * z)


def brier(rows):
    """Mean squared error of the confidences: 0 is best, saying 50 % always gives 0.25."""
    return sum(float(row["brier"]) for row in rows) / len(rows)


def reference(rows):
    """The same of a guess at even odds among the answers that each round has."""
    return sum((1 / int(row["answers"]) - int(row["is_correct"])) ** 2 for row in rows) / len(rows)


def groups(rows, key):
    found = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return sorted(found.items())


def hits(rows):
    return sum(int(row["is_correct"]) for row in rows)


def table(title, head, lines):
    print(f"\n{title}\n\n" + "  ".join(f"{word:>{width}}" for word, width in head))
    for line in lines:
        print("  ".join(f"{value:>{width}}" for value, (_, width) in zip(line, head)))


def percent(share):
    return f"{100 * share:.0f} %"


def agent_line(name, rows):
    low, high = wilson(hits(rows), len(rows))
    # Of few rounds it is luck: the service itself shows none either.
    skill = f"{1 - brier(rows) / reference(rows):+.2f}" if len(rows) >= SKILL_FROM else "-"
    points = sum(int(row["score"]) + int(row["streak_bonus"]) for row in rows)
    pnl = sum(float(row["pnl_usd"]) for row in rows)
    right = f"{percent(hits(rows) / len(rows))} ({percent(low)} to {percent(high)})"
    return [name, len(rows), right, f"{brier(rows):.3f}", skill, points, f"{pnl:+.0f}"]


def main():
    saved = sys.argv[1:]
    rows = list(csv.DictReader(open(saved[0], newline=""))) if saved else download()
    if not rows:
        sys.exit("No prediction is scored yet.")
    by_agent = sorted(groups(rows, lambda row: row["agent_name"]), key=lambda group: brier(group[1]))
    head = [("agent", 24), ("n", 6), ("right, with its 95 % interval", 30), ("Brier", 6)]
    table(
        f"{len(by_agent)} agents, {len(rows)} scored predictions; the best Brier score first",
        [*head, ("skill", 6), ("points", 8), ("P&L USD", 8)],
        [agent_line(name, group) for name, group in by_agent],
    )
    bins = groups(rows, lambda row: min(int(row["confidence"]) // 10, 9))
    table(
        "Do confidences hold? Said beside what happened",
        [("said", 10), ("n", 6), ("happened", 10)],
        [[f"{10 * at}-{100 if at == 9 else 10 * at + 9} %", len(g), percent(hits(g) / len(g))] for at, g in bins],
    )
    quarters = groups(rows, lambda row: max(0, min(3, int((3600 - float(row["lead_seconds"])) // 900))))
    table(
        "Does waiting pay? By the quarter of the hour in which the answer came",
        [("minutes", 10), ("n", 6), ("right", 10), ("Brier", 6)],
        [[f"{15 * at}-{15 * at + 14}", len(g), percent(hits(g) / len(g)), f"{brier(g):.3f}"] for at, g in quarters],
    )


if __name__ == "__main__":
    main()
