import { clipped } from './bounds.ts';
import { forecastOf, referenceBrier } from './edge.ts';
import { ln } from './statistics/special-functions.ts';

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

/** The mean of all predictions' vectors, a probability for each choice; null where nobody answered. */
export function crowdProbabilities(choices: readonly string[], tally: readonly TallyRow[]): readonly number[] | null {
  const kinds = kindsOf(choices, tally);
  const n = countOf(tally);
  if (n === 0) return null;
  return choices.map((_, index) => kinds.reduce((sum, kind) => sum + kind.n * (kind.vector[index] ?? 0), 0) / n);
}

/**
 * Contribution (leave one out) and peer score of each kind of prediction in a round that `outcome` won, in the order of
 * choices and confidences. Both are 0 for a prediction that was alone: there was no crowd to change or to beat; and
 * of a kind with `n` 0, which is not of the crowd.
 */
export function crowdFigures(
  choices: readonly string[],
  tally: readonly TallyRow[],
  outcome: string,
): readonly CrowdFigures[] {
  const n = countOf(tally);
  const crowd = crowdProbabilities(choices, tally);
  const winner = indexOf(outcome, choices);
  const kinds = kindsOf(choices, tally).map((kind) => ({ ...kind, log: ln(clipped(kind.vector[winner] ?? 0)) }));
  const logs = kinds.reduce((sum, kind) => sum + kind.n * kind.log, 0);
  const brier = crowd === null ? 0 : referenceBrier(crowd, winner);
  return kinds.map(({ vector, log, ...row }) => {
    if (crowd === null || n === 1 || row.n === 0) return { ...row, contribution: 0, peerScore: 0 };
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
    .map((row) => ({ row, pickIndex: indexOf(row.answer, choices) }))
    .toSorted((left, right) => left.pickIndex - right.pickIndex || left.row.confidence - right.row.confidence)
    .map(({ row, pickIndex }) => ({
      ...row,
      vector: forecastOf({ confidence: row.confidence, pickIndex }, choices.length),
    }));
}

function indexOf(answer: string, choices: readonly string[]): number {
  const index = choices.indexOf(answer);
  if (index === -1) throw new RangeError(`${JSON.stringify(answer)} is none of ${JSON.stringify(choices)}`);
  return index;
}

function countOf(tally: readonly TallyRow[]): number {
  return tally.reduce((sum, { n }) => sum + n, 0);
}
