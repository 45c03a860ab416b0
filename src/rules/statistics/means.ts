import { student975, STUDENT_MIN_FREEDOM, studentCdf } from './special-functions.ts';

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
 * references, which is taken as given; never above 1, which no skill is. Null below `INTERVAL_MIN_ROUNDS`.
 */
export function skillInterval(differences: Sums, referenceSum: number): Interval | null {
  const interval = meanInterval(differences);
  if (interval === null || referenceSum <= 0) return null;
  const reference = referenceSum / differences.n;
  return { low: interval.low / reference, high: Math.min(1, interval.high / reference) };
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

/** How many of many agents look skilled, and how many would by chance alone. */
export interface Skilled {
  /** Agents that were tested. */
  readonly tested: number;
  /** Those whose own test says so at 2.5 %, one-sided. */
  readonly looking: number;
  /** How many of the tested would look so if nobody had any skill. */
  readonly expectedByChance: number;
  /** Those that remain when at most `FALSE_SHARE` of the named shall be named by chance (Benjamini and Hochberg). */
  readonly named: number;
}

/** One-sided, so that mean and interval agree: the 95 % interval lies above 0. */
const LOOKING_AT = 0.025;

const FALSE_SHARE = 0.05;

/** The bound of the last of all can come out some bits above the share itself. */
const BEYOND_ROUNDING = 1.001;

/** From the chances of `tested` agents of doing as well without skill (`chanceOfMean`): those that `mayBeNamed` suffice. */
export function skilledAmong(chances: readonly number[], tested = chances.length): Skilled {
  return {
    tested,
    looking: chances.filter((chance) => chance < LOOKING_AT).length,
    expectedByChance: LOOKING_AT * tested,
    named: namedAt(chances, FALSE_SHARE, tested),
  };
}

/** False: an agent with this chance neither looks skilled nor is named, whatever the chances of all others. */
export function mayBeNamed(chance: number): boolean {
  return chance <= BEYOND_ROUNDING * Math.max(LOOKING_AT, FALSE_SHARE);
}

/**
 * The number of hypotheses that Benjamini and Hochberg's procedure rejects (Controlling the False Discovery Rate, 1995):
 * the largest k whose k-th smallest p is at most `rate` k / m. All p above `rate` may be left out of the `m`.
 */
export function namedAt(chances: readonly number[], rate: number, m = chances.length): number {
  return chances
    .toSorted((left, right) => left - right)
    .reduce((named, chance, index) => (chance <= (rate * (index + 1)) / m ? index + 1 : named), 0);
}
