import { normalCdf } from './special-functions.ts';

interface RoundsByChoices {
  readonly choiceCount: number;
  readonly n: number;
}

/**
 * The share of guessers, from 0 to 1, with fewer wins in the same rounds. It is P(W < wins) + P(W = wins) / 2 for the
 * wins W at chance 1 / k. Convolves the binomials of each k; exact except for chances below 1e-20. 0.5 without rounds.
 */
export function luckOfWins(wins: number, rounds: readonly RoundsByChoices[]): number {
  const all = rounds
    .filter(({ n }) => n > 0)
    .map(({ n, choiceCount }) => binomial(n, 1 / choiceCount))
    .reduce(sumOfBoth, { from: 0, chances: [1] });
  const below = all.chances.slice(0, Math.max(0, wins - all.from)).reduce((sum, chance) => sum + chance, 0);
  return Math.min(1, below + (all.chances[wins - all.from] ?? 0) / 2);
}

interface Distribution {
  readonly from: number;
  readonly chances: readonly number[];
}

/** Chances are below the precision of a double beyond this many standard deviations plus units. */
const REACH = { deviations: 10, units: 40 } as const;

function binomial(n: number, p: number): Distribution {
  const reach = Math.ceil(REACH.deviations * Math.sqrt(n * p * (1 - p))) + REACH.units;
  const middle = Math.floor((n + 1) * p);
  const [from, to] = [Math.max(0, middle - reach), Math.min(n, middle + reach)];
  const odds = p / (1 - p);
  const chances = Array.from({ length: to - from + 1 }, () => 0);
  let chance = 1;
  for (let hits = middle; hits <= to; hits += 1) {
    chances[hits - from] = chance;
    chance *= ((n - hits) / (hits + 1)) * odds;
  }
  chance = 1;
  for (let hits = middle; hits > from; hits -= 1) {
    chance *= hits / (n - hits + 1) / odds;
    chances[hits - 1 - from] = chance;
  }
  const total = chances.reduce((sum, value) => sum + value, 0);
  return { from, chances: chances.map((value) => value / total) };
}

function sumOfBoth(left: Distribution, right: Distribution): Distribution {
  const chances = Array.from({ length: left.chances.length + right.chances.length - 1 }, () => 0);
  for (const [at, one] of left.chances.entries()) {
    for (const [beyond, other] of right.chances.entries()) {
      chances[at + beyond] = (chances[at + beyond] ?? 0) + one * other;
    }
  }
  return { from: left.from + right.from, chances };
}

/** Mean and variance of a guess's earnings, in cents and squared cents. */
interface PnlChance {
  readonly mean: number;
  readonly variance: number;
}

/** For a guess with these payoffs in whole cents. Exact in doubles for 2, 4 and 8 answers: eighths and 64ths. */
export function pnlChance(payoff: { readonly won: number; readonly lost: number }, choiceCount: number): PnlChance {
  const spread = payoff.won - payoff.lost;
  const p = 1 / choiceCount;
  return { mean: payoff.lost + spread * p, variance: spread * spread * p * (1 - p) };
}

/** The share of guessers with lower earnings: normal, with the record's exact mean and variance; 0.5 at no risk. */
export function luckOfPnl(pnl: number, chance: PnlChance): number {
  return chance.variance > 0 ? normalCdf((pnl - chance.mean) / Math.sqrt(chance.variance)) : 0.5;
}
