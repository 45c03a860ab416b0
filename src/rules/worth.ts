import { GRID_POINTS } from './grid.ts';
import { type Payoff, payoffsOf } from './scoring.ts';
import { ln } from './statistics/special-functions.ts';

/** How many of the units that are stored make 1. Whole numbers: their sums are exact, whatever enters and leaves. */
export const UNITS = { edge: 1_000_000, contribution: 1_000_000_000, peer: 1_000_000, difficulty: 1_000_000 } as const;

/** A round that is over, as far as the worth of predictions goes. */
export interface Judged {
  readonly choices: readonly string[];
  /** The answer that won. */
  readonly outcome: string;
}

/** What every prediction with this answer and confidence is worth, but for its moment, streak and place. */
export interface Worth extends Payoff {
  readonly answer: string;
  /** Brier over all answers, from 0 to 2, in the units of the edge. */
  readonly ownBrier: number;
  readonly contribution: number;
  readonly peerScore: number;
}

/** The worth of each kind of prediction in a round's tally: the at most 808 rows that resolution joins in. */
export function worthsOf({ choices, outcome }: Judged, tally: readonly TallyRow[]): readonly Worth[] {
  const payoffs = new Map(payoffsOf(choices.length).map((one) => [payoffKey(one.confidence, one.correct), one]));
  return crowdFigures(choices, tally, outcome).map(({ answer, confidence, contribution, peerScore }) => {
    const correct = answer === outcome;
    const payoff = payoffs.get(payoffKey(confidence, correct));
    if (payoff === undefined) throw new RangeError(`confidence must be from 0 to 100 (got ${confidence})`);
    return {
      ...payoff,
      answer,
      ownBrier: inUnits(ownBrier(confidence, choices.length, correct), UNITS.edge),
      contribution: inUnits(contribution, UNITS.contribution),
      peerScore: inUnits(peerScore, UNITS.peer),
    };
  });
}

/** What the price alone said: a probability for each choice, by the grid point at which it is known. */
export type References = ReadonlyMap<number, readonly number[]>;

/** Brier of the reference at every point of the grid, in the units of the edge; 1 / k on each answer where none is known. */
export function referenceBriers({ choices, outcome }: Judged, references: References): readonly number[] {
  const even = choices.map(() => 1 / choices.length);
  const winner = choices.indexOf(outcome);
  return Array.from({ length: GRID_POINTS }, (_, point) =>
    inUnits(referenceBrier(references.get(point) ?? even, winner), UNITS.edge),
  );
}

/** A figure as a whole number of its units, half up. */
export function inUnits(figure: number, units: number): number {
  // Never -0, which is another text in JSON.
  return Math.round(figure * units) + 0;
}

/** The figure that so many units are; null stays null. */
export function figureOf(inItsUnits: number | null | undefined, units: number): number | null {
  return inItsUnits == null ? null : inItsUnits / units;
}

function payoffKey(confidence: number, correct: boolean): number {
  return 2 * confidence + Number(correct);
}

/*
 * The edge of a prediction: how much closer it came to what happened than what the price alone said at the moment of its
 * submission. Both are judged by the Brier score over all answers, sum of (p - o)^2 with o = 1 for the answer that won:
 * 0 is best, 2 worst. The score is proper, so honesty is optimal; a copy of the reference has an edge of 0.
 */

/** A prediction as far as its edge goes: percent from 0 to 100, and the place of its answer among the choices. */
export interface Picked {
  readonly confidence: number;
  readonly pickIndex: number;
}

/**
 * The probability that a prediction gives each of `choiceCount` answers, in the order of the choices: c on the pick and
 * (1 - c) / (k - 1) on each other one, with c = confidence / 100 and at least 1 / k. The vector of the sim P&L.
 */
export function forecastOf({ confidence, pickIndex }: Picked, choiceCount: number): readonly number[] {
  const pick = statedProbability(confidence, choiceCount);
  const other = (1 - pick) / (choiceCount - 1);
  return Array.from({ length: choiceCount }, (_, index) => (index === pickIndex ? pick : other));
}

/** The Brier score, from 0 to 2, of a probability for each answer when the answer at `winnerIndex` won. */
export function referenceBrier(reference: readonly number[], winnerIndex: number): number {
  if (!(winnerIndex in reference)) {
    throw new RangeError(`the winner must be one of ${reference.length} answers (got index ${winnerIndex})`);
  }
  return reference.reduce((sum, probability, index) => {
    const miss = index === winnerIndex ? 1 - probability : probability;
    return sum + miss * miss;
  }, 0);
}

/**
 * The Brier score, from 0 to 2, of the vector that a prediction stands for. It depends on confidence and correctness
 * alone, to the last bit, so a table of 202 rows serves all predictions of a round.
 */
export function ownBrier(confidence: number, choiceCount: number, correct: boolean): number {
  const pick = statedProbability(confidence, choiceCount);
  const other = (1 - pick) / (choiceCount - 1);
  const missed = correct ? (1 - pick) * (1 - pick) : pick * pick + (1 - other) * (1 - other);
  return missed + (choiceCount - (correct ? 1 : 2)) * other * other;
}

/** Brier(reference) - Brier(own), from -2 to 2; above 0 where the prediction knew more than the price. */
export function edgeOf(reference: readonly number[], { confidence, pickIndex }: Picked, winnerIndex: number): number {
  const own = ownBrier(confidence, reference.length, pickIndex === winnerIndex);
  return referenceBrier(reference, winnerIndex) - own;
}

function statedProbability(confidence: number, choiceCount: number): number {
  return Math.max(confidence / 100, 1 / choiceCount);
}

/** How many predictions of one round gave this answer with this confidence (percent, 0-100). */
export interface TallyRow {
  readonly answer: string;
  readonly confidence: number;
  readonly n: number;
}

/** What a round's predictions of one kind did for the crowd, and against it; the same for all `n` of them. */
export interface CrowdFigures extends TallyRow {
  /** Brier of the crowd without this one prediction - Brier of the crowd with it: above 0 where it made it better. */
  readonly contribution: number;
  /** 100 (ln p - mean of the others' ln p), p being what each gave to the answer that won, clipped to 0.01-0.99. */
  readonly peerScore: number;
}

const CLIP = { min: 0.01, max: 0.99 } as const;

/** The mean of all predictions' vectors, a probability for each choice; null where nobody answered. */
export function crowdProbabilities(choices: readonly string[], tally: readonly TallyRow[]): readonly number[] | null {
  const kinds = kindsOf(choices, tally);
  const n = countOf(tally);
  if (n === 0) return null;
  return choices.map((_, index) => kinds.reduce((sum, kind) => sum + kind.n * (kind.vector[index] ?? 0), 0) / n);
}

/**
 * Contribution (leave one out) and peer score of each kind of prediction in a round that `outcome` won, in the order of
 * choices and confidences. Both are 0 for a prediction that was alone: there was no crowd to change or to beat.
 */
export function crowdFigures(
  choices: readonly string[],
  tally: readonly TallyRow[],
  outcome: string,
): readonly CrowdFigures[] {
  const n = countOf(tally);
  const crowd = crowdProbabilities(choices, tally);
  const winner = placeOf(outcome, choices);
  if (crowd === null) return [];
  const kinds = kindsOf(choices, tally).map((kind) => ({ ...kind, log: ln(clipped(kind.vector[winner] ?? 0)) }));
  const logs = kinds.reduce((sum, kind) => sum + kind.n * kind.log, 0);
  const brier = referenceBrier(crowd, winner);
  return kinds.map(({ vector, log, ...row }) => {
    if (n === 1) return { ...row, contribution: 0, peerScore: 0 };
    const without = crowd.map((probability, index) => (n * probability - (vector[index] ?? 0)) / (n - 1));
    const others = (logs - log) / (n - 1);
    return { ...row, contribution: referenceBrier(without, winner) - brier, peerScore: 100 * (log - others) };
  });
}

/**
 * How hard a round was for those who answered it: the mean of their Brier terms (c - o)^2, from 0 to 1, as calibration
 * counts them; null where nobody answered. Sums of whole numbers, so the same to the last bit in whatever order.
 */
export function difficultyOf(tally: readonly TallyRow[], outcome: string): number | null {
  const n = countOf(tally);
  const missed = tally.reduce(
    (sum, row) => sum + row.n * (row.confidence - (row.answer === outcome ? 100 : 0)) ** 2,
    0,
  );
  return n === 0 ? null : missed / (10_000 * n);
}

interface Kind extends TallyRow {
  readonly vector: readonly number[];
}

/** The rows with their vectors, in one order whatever the order they come in, so that sums have the same last bit. */
function kindsOf(choices: readonly string[], tally: readonly TallyRow[]): readonly Kind[] {
  return tally
    .map((row) => ({ row, place: placeOf(row.answer, choices) }))
    .toSorted((left, right) => left.place - right.place || left.row.confidence - right.row.confidence)
    .map(({ row, place }) => ({
      ...row,
      vector: forecastOf({ confidence: row.confidence, pickIndex: place }, choices.length),
    }));
}

function placeOf(answer: string, choices: readonly string[]): number {
  const place = choices.indexOf(answer);
  if (place === -1) throw new RangeError(`${JSON.stringify(answer)} is none of ${JSON.stringify(choices)}`);
  return place;
}

function countOf(tally: readonly TallyRow[]): number {
  return tally.reduce((sum, { n }) => sum + n, 0);
}

function clipped(probability: number): number {
  return Math.min(CLIP.max, Math.max(CLIP.min, probability));
}
