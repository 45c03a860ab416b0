import { clipped } from './bounds.ts';
import { forecastOf, referenceBrier } from './edge.ts';
import { indexOf } from './questions/question.ts';
import { ln } from './statistics/special-functions.ts';

/** `n` predictions of one round with this answer and confidence (percent, 0-100). */
export interface TallyRow {
  readonly answer: string;
  readonly confidence: number;
  readonly n: number;
}

export interface CrowdFigures extends TallyRow {
  /** Brier of the crowd without this prediction minus with it: above 0 where it helped. */
  readonly contribution: number;
  /** 100 (ln p - mean of the others' ln p), p being the winner's probability, clipped to 0.01-0.99. */
  readonly peerScore: number;
}

export function crowdProbabilities(choices: readonly string[], tally: readonly TallyRow[]): readonly number[] | null {
  const rows = rowsInOrder(choices, tally);
  const n = countOf(tally);
  if (n === 0) return null;
  return choices.map((_, index) => rows.reduce((sum, row) => sum + row.n * (row.vector[index] ?? 0), 0) / n);
}

/** Leave-one-out contribution and peer score, ordered by choice and confidence; 0 if alone or if `n` is 0. */
export function crowdFigures(
  choices: readonly string[],
  tally: readonly TallyRow[],
  outcome: string,
): readonly CrowdFigures[] {
  const n = countOf(tally);
  const crowd = crowdProbabilities(choices, tally);
  const winner = indexOf(outcome, choices);
  const rows = rowsInOrder(choices, tally).map((row) => ({ ...row, log: ln(clipped(row.vector[winner] ?? 0)) }));
  const logs = rows.reduce((sum, row) => sum + row.n * row.log, 0);
  const brier = crowd === null ? 0 : referenceBrier(crowd, winner);
  return rows.map(({ vector, log, ...row }) => {
    if (crowd === null || n === 1 || row.n === 0) return { ...row, contribution: 0, peerScore: 0 };
    const without = crowd.map((probability, index) => (n * probability - (vector[index] ?? 0)) / (n - 1));
    const others = (logs - log) / (n - 1);
    return { ...row, contribution: referenceBrier(without, winner) - brier, peerScore: 100 * (log - others) };
  });
}

/** The mean Brier term (c - o)^2, from 0 to 1; null without predictions. Whole sums do not depend on the order. */
export function difficultyOf(tally: readonly TallyRow[], outcome: string): number | null {
  const n = countOf(tally);
  const missed = tally.reduce(
    (sum, row) => sum + row.n * (row.confidence - (row.answer === outcome ? 100 : 0)) ** 2,
    0,
  );
  return n === 0 ? null : missed / (10_000 * n);
}

/** Rows with their probabilities, in a fixed order, so that sums of floats have the same last bit. */
function rowsInOrder(choices: readonly string[], tally: readonly TallyRow[]) {
  return tally
    .map((row) => ({ row, pickIndex: indexOf(row.answer, choices) }))
    .toSorted((left, right) => left.pickIndex - right.pickIndex || left.row.confidence - right.row.confidence)
    .map(({ row, pickIndex }) => ({
      ...row,
      vector: forecastOf({ confidence: row.confidence, pickIndex }, choices.length),
    }));
}

function countOf(tally: readonly TallyRow[]): number {
  return tally.reduce((sum, { n }) => sum + n, 0);
}
