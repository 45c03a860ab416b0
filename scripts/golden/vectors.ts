import { createHash } from 'node:crypto';

import { difficultyOf, type TallyRow } from '../../src/rules/crowd.ts';
import { HOUR } from '../../src/rules/hours.ts';
import {
  answerPayoffs,
  edgeAt,
  figureOf,
  payoffsOf,
  referenceBriers,
  type References,
  UNITS,
} from '../../src/rules/payoffs.ts';
import { arenaPointsFor } from '../../src/rules/ranking.ts';
import { scoreOf, streakBonus } from '../../src/rules/scoring.ts';
import { RULES_VERSIONS, type RulesVersion } from '../../src/rules/versions.ts';
import { ARCHIVE_KINDS, inWindow, periodOf, PERIODS } from '../../src/rules/windows.ts';
import { forecastVectors } from './forecast-vectors.ts';
import { referenceVectors } from './reference-vectors.ts';

/** Cases of one part of the rules with their results, one a line: another implementation must give the same bits. */
export type Vectors = readonly object[];

/** By file name; null for a version without the part. */
export const GOLDEN: Readonly<Record<string, (version: RulesVersion) => Vectors | null>> = {
  contribution: crowdVectors,
  edge: edgeVectors,
  forecast: (version) => (version === 1 ? null : forecastVectors()),
  pnl: pnlVectors,
  points: pointsVectors,
  reference: referenceVectors,
  windows: windowVectors,
};

/** Vectors by version, one case a line. A version equal to its predecessor is omitted. */
export function goldenText(byVersion: ReadonlyMap<number, Vectors>): string {
  const all = [...byVersion];
  const changed = all.filter(([, vectors], place) => JSON.stringify(vectors) !== JSON.stringify(all[place - 1]?.[1]));
  const versions = changed.map(
    ([version, vectors]) => `"${version}": [\n${vectors.map((vector) => JSON.stringify(vector)).join(',\n')}\n]`,
  );
  return `{\n${versions.join(',\n')}\n}\n`;
}

/** From the rules as they are now. */
export function vectorsOf(name: string): ReadonlyMap<RulesVersion, Vectors> {
  const vectors = GOLDEN[name];
  if (vectors === undefined) throw new RangeError(`there are no golden vectors of ${name}`);
  const found = RULES_VERSIONS.map((version) => [version, vectors(version)] as const);
  return new Map(found.flatMap(([version, its]) => (its === null ? [] : [[version, its]])));
}

/** SHA-256 of all the version's vectors, in the order of their names. */
export function digestOf(version: RulesVersion): string {
  const hash = createHash('sha256');
  for (const [name, vectors] of Object.entries(GOLDEN)) {
    const its = vectors(version);
    if (its !== null) hash.update(`${name} ${JSON.stringify(its)}\n`);
  }
  return hash.digest('hex');
}

const CONFIDENCES = Array.from({ length: 101 }, (_, confidence) => confidence);
const CHOICES = [
  ['YES', 'NO'],
  ['BTC', 'ETH', 'SOL', 'AVAX'],
  ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'],
];

function pointsVectors(): Vectors {
  const scores = CONFIDENCES.flatMap((confidence) =>
    [true, false].map((correct) => ({ confidence, correct, score: scoreOf(confidence, correct) })),
  );
  const streaks = Array.from({ length: 26 }, (_, streak) => ({ streak, bonus: streakBonus(streak) }));
  const places = Array.from({ length: 12 }, (_, index) => ({
    place: index + 1,
    arenaPoints: arenaPointsFor(index + 1),
  }));
  return [...scores, ...streaks, ...places];
}

function pnlVectors(): Vectors {
  return CHOICES.flatMap((choices) =>
    payoffsOf(choices.length).map(({ confidence, correct, pnlUsd, brier, referenceBrier }) => {
      return { answers: choices.length, confidence, correct, pnlUsd, brier, referenceBrier };
    }),
  );
}

/** By case: no reference, even odds, a lean, its bounds, and both settled outcomes. */
function referencesFor(k: number): References {
  const rest = (first: number): readonly number[] =>
    Array.from({ length: k }, (_, index) => (index === 0 ? first : (1 - first) / (k - 1)));
  return new Map([1 / k, 0.6, 0.98, 0.3, 1, 0.02 / (k - 1)].map((first, index) => [index + 1, rest(first)]));
}

function edgeVectors(rulesVersion: RulesVersion): Vectors {
  return CHOICES.flatMap((choices) => {
    const references = referencesFor(choices.length);
    const tally = [choices[0] ?? '', choices[1] ?? ''].flatMap((answer) =>
      [0, 12, 13, 25, 50, 51, 80, 97, 98, 99, 100].map((confidence) => ({ answer, confidence, n: 1 })),
    );
    return choices.slice(0, 2).flatMap((outcome) => {
      const judged = { choices, outcome, rulesVersion };
      const briers = referenceBriers(judged, references);
      return answerPayoffs(judged, tally).flatMap((payoff) =>
        [0, ...references.keys()].map((point) => ({
          reference: references.get(point) ?? null,
          winner: choices.indexOf(outcome),
          pick: choices.indexOf(payoff.answer),
          confidence: payoff.confidence,
          edge: figureOf(edgeAt(point, briers, payoff), UNITS.edge),
        })),
      );
    });
  });
}

const FIELDS: readonly (readonly TallyRow[])[] = [
  [{ answer: 'YES', confidence: 80, n: 1 }],
  [
    { answer: 'YES', confidence: 100, n: 3 },
    { answer: 'YES', confidence: 51, n: 2 },
    { answer: 'NO', confidence: 0, n: 1 },
    { answer: 'NO', confidence: 99, n: 4 },
  ],
  [
    { answer: 'BTC', confidence: 40, n: 7 },
    { answer: 'BTC', confidence: 100, n: 1 },
    { answer: 'ETH', confidence: 13, n: 2 },
    { answer: 'DOT', confidence: 77, n: 5 },
  ],
];

/** Contribution, peer score and difficulty of whole fields. */
function crowdVectors(rulesVersion: RulesVersion): Vectors {
  return FIELDS.flatMap((tally) => {
    const choices = CHOICES.find((one) => tally.every(({ answer }) => one.includes(answer)) && one.length !== 4) ?? [];
    return choices.slice(0, 2).map((outcome) => ({
      choices,
      outcome,
      tally,
      difficulty: difficultyOf(tally, outcome),
      figures: answerPayoffs({ choices, outcome, rulesVersion }, tally).map((payoff) => ({
        answer: payoff.answer,
        confidence: payoff.confidence,
        contribution: figureOf(payoff.contribution, UNITS.contribution),
        peerScore: figureOf(payoff.peerScore, UNITS.peer),
      })),
    }));
  });
}

function windowVectors(): Vectors {
  const newestEnd = new Date('2026-03-01T00:00:00Z');
  const hoursBefore = [-1, 0, 1, 23, 24, 25, 167, 168, 169, 719, 720, 721, 9000];
  const windows = hoursBefore.map((hours) => {
    const roundEnd = new Date(newestEnd.getTime() - hours * HOUR);
    return { newestEnd, roundEnd, windows: PERIODS.filter((period) => inWindow(period, newestEnd, roundEnd)) };
  });
  const days = ['2024-02-29', '2026-01-01', '2026-12-31', '2027-01-03', '2027-01-04', '2028-12-31'];
  const periods = days.flatMap((day) => ARCHIVE_KINDS.map((kind) => ({ day, ...periodOf(kind, new Date(day)) })));
  return [...windows, ...periods];
}
