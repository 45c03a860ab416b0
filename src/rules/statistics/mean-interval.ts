import { STUDENT_MIN_FREEDOM, student975, studentCdf } from './normal.ts';

/** From low to high, in the unit of the figures. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Of n figures: how many, their sum, and the sum of their squares, in whatever unit. */
export interface Sums {
  readonly n: number;
  readonly sum: number;
  readonly squareSum: number;
}

/** With fewer figures than these nothing is said. */
export const INTERVAL_MIN_ROUNDS = STUDENT_MIN_FREEDOM + 1;

/** In the unit of the figures. */
export interface MeanInterval extends Interval {
  readonly mean: number;
  readonly n: number;
}

/**
 * The mean and its 95 % interval, mean +- t(n - 1) s / sqrt(n); null below `INTERVAL_MIN_ROUNDS`. Of the differences of two
 * agents in the rounds that both predicted it is the paired interval of a head to head. Times n it is that of the total.
 */
export function meanInterval(sums: Sums): MeanInterval | null {
  const { n } = sums;
  if (n < INTERVAL_MIN_ROUNDS) return null;
  const mean = sums.sum / n;
  const reach = student975(n - 1) * standardError(sums);
  return { mean, low: mean - reach, high: mean + reach, n };
}

/**
 * The 95 % interval of skill, 1 - Brier / reference, from the sums of d = reference - Brier term and the sum of the
 * references, which is taken as given; null below `INTERVAL_MIN_ROUNDS`.
 */
export function skillInterval(differences: Sums, referenceSum: number): Interval | null {
  const interval = meanInterval(differences);
  if (interval === null || referenceSum <= 0) return null;
  const reference = referenceSum / differences.n;
  return { low: interval.low / reference, high: interval.high / reference };
}

/**
 * The chance that figures whose true mean is 0 have one as high as this, one-sided, by Student's t; null below
 * `INTERVAL_MIN_ROUNDS`. Figures that are all alike leave no doubt: 0 above 0, 1 below, 1/2 at 0.
 */
export function chanceOfMean(sums: Sums): number | null {
  const { n, sum } = sums;
  if (n < INTERVAL_MIN_ROUNDS) return null;
  const error = standardError(sums);
  if (error === 0) return (1 - Math.sign(sum)) / 2;
  return studentCdf(-sum / n / error, n - 1);
}

/** s / sqrt(n), s with n - 1. What rounding leaves of a spread of 0 counts as 0. */
function standardError({ n, sum, squareSum }: Sums): number {
  const spread = squareSum - (sum * sum) / n;
  return spread <= 1e-12 * squareSum ? 0 : Math.sqrt(spread / (n - 1) / n);
}
