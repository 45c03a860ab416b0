"""Reproduces the golden vectors of a folder with the Python client's rules: golden.py FOLDER.

Prints how many lines of each file and version came out the same, and each that did not; none is left out.
"""

import json
import sys
from datetime import datetime
from pathlib import Path

from hourcast import rules
from hourcast.rules import forecast, payoffs, pooling
from hourcast.rules.statistics import Sums


def crowd(line, version, _following):
    figures = rules.crowd_payoffs(line["choices"], line["tally"], line["outcome"])
    tally = [rules.TallyRow(**row) for row in line["tally"]]
    return {
        "difficulty": rules.difficulty_of(tally, line["outcome"]),
        "figures": [
            {"answer": one.answer, "confidence": one.confidence, "contribution": one.contribution, "peerScore": one.peer_score}
            for one in figures
        ],
    }


def edge(line, version, following):
    k = len(next(one["reference"] for one in [line, *following] if one["reference"] is not None))
    units = rules.edge_units(
        line["reference"], line["confidence"], k, pick=line["pick"], winner=line["winner"], version=version
    )
    return {"edge": None if units is None else units / payoffs.EDGE_UNITS}


def forecast_line(line, version, _following):
    if "price" not in line:
        return {"checkpoints": list(forecast.CHECKPOINTS), "experts": list(forecast.EXPERTS)}
    given = [
        pooling.Given(
            one["point"],
            one["pickIndex"],
            one["confidence"],
            Sums(one["edges"]["n"], one["edges"]["sum"], one["edges"]["squareSum"]),
        )
        for one in line["given"]
    ]
    pool = pooling.Pooling(len(line["price"]))
    pool.add_all(given, line["references"])
    means = pool.means()
    made = forecast.forecast_at(line["price"], means, line["totals"])
    return {"means": means, "probabilities": made.probabilities, "said": made.said, "weights": made.weights}


def pnl(line, version, _following):
    payoff = rules.payoff_of(line["confidence"], line["answers"], line["correct"])
    return {"pnlUsd": payoff.pnl_usd, "brier": payoff.brier, "referenceBrier": payoff.reference_brier}


def points(line, version, _following):
    if "confidence" in line:
        return {"score": rules.score_of(line["confidence"], line["correct"])}
    if "streak" in line:
        return {"bonus": rules.streak_bonus(line["streak"])}
    return {"arenaPoints": rules.arena_points_for(line["place"])}


covariance = None


def reference(line, version, _following):
    global covariance
    covariance = line.get("covariance", covariance)
    if "questionType" not in line:
        return {}
    params = rules.Params(**{{"thresholdPct": "threshold_pct"}.get(name, name): value for name, value in line["params"].items()})
    question = rules.Question(line["questionType"], "", "", tuple(line["choices"]), tuple(line["assets"]), params)
    moment = line["soFar"] and rules.Moment(
        line["secondsLeft"],
        {
            asset: rules.SoFar(one["openUsd"], one["priceUsd"], one["highUsd"], one["lowUsd"])
            for asset, one in line["soFar"].items()
        },
        covariance,
        line["signBefore"],
    )
    return {"probabilities": rules.reference_at(question, moment, version)}


def windows(line, version, _following):
    if "day" in line:
        period = rules.period_of(line["kind"], instant(f"{line['day']}T00:00:00.000Z"))
        return {"name": period.name, "kind": period.kind, "start": text(period.start), "end": text(period.end)}
    newest, end = instant(line["newestEnd"]), instant(line["roundEnd"])
    return {"windows": [period for period in rules.PERIODS if rules.in_window(period, newest, end)]}


def instant(iso):
    return datetime.fromisoformat(iso.replace("Z", "+00:00"))


def text(time):
    return f"{time:%Y-%m-%dT%H:%M:%S}.000Z"


MAKE = {
    "contribution": crowd,
    "edge": edge,
    "forecast": forecast_line,
    "pnl": pnl,
    "points": points,
    "reference": reference,
    "windows": windows,
}

same = {}
for name, make in MAKE.items():
    versions = json.loads((Path(sys.argv[1]) / f"{name}.json").read_text())
    for version, lines in versions.items():
        for at, line in enumerate(lines):
            made = make(line, int(version), lines[at + 1 :])
            if all(line[key] == value for key, value in made.items()):
                same[f"{name} {version}"] = same.get(f"{name} {version}", 0) + 1
            else:
                print(f"{name} {version}: {line} came out as {made}", file=sys.stderr)
print(json.dumps({"same": same, "digests": rules.RULES_DIGESTS}))
