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

export const FALSE_SHARE = 0.05;

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
