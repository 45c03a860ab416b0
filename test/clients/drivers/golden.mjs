import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Reproduces the golden vectors of a folder with the rules of a JavaScript module: golden.mjs MODULE FOLDER. Prints how many lines
 * of each file and version came out the same, and each that did not; none is left out.
 */

const [, , module = '', folder = ''] = process.argv;
const rules = await import(module);

const perhaps = (entry) => Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));

const payoffs = new Map();
function payoffOf({ answers, confidence, correct }) {
  if (!payoffs.has(answers)) payoffs.set(answers, rules.payoffsOf(answers));
  return payoffs.get(answers).find((one) => one.confidence === confidence && one.correct === correct);
}

/** The edge of a line alone; where no price is known, the line behind it says how many answers there are. */
function edgeOf({ reference, winner, pick, confidence }, rulesVersion, following) {
  const k = (reference ?? following.find((one) => one.reference !== null).reference).length;
  const choices = Array.from({ length: k }, (_none, place) => String(place));
  const round = { choices, outcome: String(winner), rulesVersion };
  const references = new Map(reference === null ? [] : [[7, reference]]);
  const [payoff] = rules.answerPayoffs(round, [{ answer: String(pick), confidence, n: 1 }]);
  return rules.figureOf(rules.edgeAt(7, rules.referenceBriers(round, references), payoff), rules.UNITS.edge);
}

function crowdOf({ choices, outcome, tally }, rulesVersion) {
  const payoffsOfRound = rules.answerPayoffs({ choices, outcome, rulesVersion }, tally);
  return {
    difficulty: rules.difficultyOf(tally, outcome),
    figures: payoffsOfRound.map(({ answer, confidence, contribution, peerScore }) => ({
      answer,
      confidence,
      contribution: rules.figureOf(contribution, rules.UNITS.contribution),
      peerScore: rules.figureOf(peerScore, rules.UNITS.peer),
    })),
  };
}

function windowsOf({ newestEnd, roundEnd, day, kind }) {
  if (day !== undefined) return rules.periodOf(kind, new Date(day));
  const isIn = (period) => rules.inWindow(period, new Date(newestEnd), new Date(roundEnd));
  return { windows: rules.PERIODS.filter(isIn) };
}

let covariance;
function referenceOf(line, version) {
  if (line.covariance !== undefined) ({ covariance } = line);
  if (line.questionType === undefined) return {};
  const { secondsLeft, signBefore, soFar } = line;
  const moment = soFar && { secondsLeft, signBefore, assets: soFar, covariance };
  return { probabilities: rules.referenceAt(line, moment, version) };
}

function forecastOf({ price, given, references, totals }) {
  if (price === undefined) return { checkpoints: rules.CHECKPOINTS, experts: rules.EXPERTS };
  const pooling = rules.newPooling(price.length);
  for (const said of rules.saidBy(given)) pooling.add(said, references[said.point]);
  const means = pooling.means();
  return { means, ...rules.forecastAt(price, means, totals) };
}

/** What the rules make of what a line gives, by file. */
const MAKE = {
  contribution: crowdOf,
  edge: (line, version, following) => ({ edge: edgeOf(line, version, following) }),
  forecast: forecastOf,
  pnl: (line) => {
    const { pnlUsd, brier, referenceBrier } = payoffOf(line);
    return { pnlUsd, brier, referenceBrier };
  },
  points: ({ confidence, correct, streak, place }) =>
    perhaps({
      score: confidence === undefined ? undefined : rules.scoreOf(confidence, correct),
      bonus: streak === undefined ? undefined : rules.streakBonus(streak),
      arenaPoints: place === undefined ? undefined : rules.arenaPointsFor(place),
    }),
  reference: referenceOf,
  windows: windowsOf,
};

const same = {};
for (const [name, make] of Object.entries(MAKE)) {
  const versions = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  for (const [version, lines] of Object.entries(versions)) {
    for (const [at, line] of lines.entries()) {
      const made = JSON.parse(JSON.stringify(make(line, Number(version), lines.slice(at + 1))));
      const isSame = Object.entries(made).every(([key, value]) => JSON.stringify(value) === JSON.stringify(line[key]));
      if (isSame) same[`${name} ${version}`] = (same[`${name} ${version}`] ?? 0) + 1;
      else process.stderr.write(`${name} ${version}: ${JSON.stringify(line)} came out as ${JSON.stringify(made)}\n`);
    }
  }
}
process.stdout.write(`${JSON.stringify({ same, digests: rules.RULES_DIGESTS })}\n`);
