import { student975, STUDENT_MIN_FREEDOM, studentCdf } from './special-functions.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Sums {
  readonly n: number;
  readonly sum: number;
  readonly squareSum: number;
}

export const INTERVAL_MIN_ROUNDS = STUDENT_MIN_FREEDOM + 1;

export interface MeanInterval extends Interval {
  readonly mean: number;
  readonly n: number;
}

/** mean +- t(n - 1) s / sqrt(n), at 95 %; null below `INTERVAL_MIN_ROUNDS`. Times n it is the total's. */
export function meanInterval(sums: Sums): MeanInterval | null {
  const { n } = sums;
  if (n < INTERVAL_MIN_ROUNDS) return null;
  const mean = sums.sum / n;
  const reach = student975(n - 1) * standardError(sums);
  return { mean, low: mean - reach, high: mean + reach, n };
}

/** The interval of 1 - Brier / reference, from d = reference - Brier term; at most 1. Null below `INTERVAL_MIN_ROUNDS`. */
export function skillInterval(differences: Sums, referenceSum: number): Interval | null {
  const interval = meanInterval(differences);
  if (interval === null || referenceSum <= 0) return null;
  const reference = referenceSum / differences.n;
  return { low: interval.low / reference, high: Math.min(1, interval.high / reference) };
}

/** One-sided p-value by Student's t for a true mean of 0; null for too few. Equal figures: 0, 1/2 or 1. */
export function chanceOfMean(sums: Sums): number | null {
  const { n, sum } = sums;
  if (n < INTERVAL_MIN_ROUNDS) return null;
  const error = standardError(sums);
  if (error === 0) return (1 - Math.sign(sum)) / 2;
  return studentCdf(-sum / n / error, n - 1);
}

/** s / sqrt(n), s with n - 1. A spread within rounding counts as 0. */
function standardError({ n, sum, squareSum }: Sums): number {
  const spread = squareSum - (sum * sum) / n;
  return spread <= 1e-12 * squareSum ? 0 : Math.sqrt(spread / (n - 1) / n);
}

export interface SkilledCounts {
  readonly tested: number;
  /** Significant at 2.5 %, one-sided. */
  readonly looking: number;
  readonly expectedByChance: number;
  /** Left when at most `FALSE_SHARE` of the named may be false (Benjamini and Hochberg). */
  readonly named: number;
}

/** One-sided, to agree with the interval: the 95 % interval lies above 0. */
const LOOKING_AT = 0.025;

const FALSE_SHARE = 0.05;

/** Rounding can lift the last bound slightly above the share. */
const BEYOND_ROUNDING = 1.001;

/** `chances` are p-values of `chanceOfMean`; those that `mayBeNamed` suffice. */
export function skilledAmong(chances: readonly number[], tested = chances.length): SkilledCounts {
  return {
    tested,
    looking: chances.filter((chance) => chance < LOOKING_AT).length,
    expectedByChance: LOOKING_AT * tested,
    named: namedAt(chances, FALSE_SHARE, tested),
  };
}

/** An agent with a higher p-value is neither counted as skilled nor named, whatever the p-values of others are. */
export function mayBeNamed(chance: number): boolean {
  return chance <= BEYOND_ROUNDING * Math.max(LOOKING_AT, FALSE_SHARE);
}

/** Benjamini and Hochberg (Controlling the False Discovery Rate, 1995): the largest k with p_k <= `rate` k / m. */
export function namedAt(chances: readonly number[], rate: number, m = chances.length): number {
  return chances
    .toSorted((left, right) => left - right)
    .reduce((named, chance, index) => (chance <= (rate * (index + 1)) / m ? index + 1 : named), 0);
}
