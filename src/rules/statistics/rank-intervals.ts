import { uniforms } from './special-functions.ts';

/** What one agent did in the rounds that it predicted. */
export interface RoundFigures {
  /** Places of its rounds in the list of all rounds, ascending. */
  readonly rounds: readonly number[];
  /** What each of them adds to what the board is ordered by. */
  readonly figures: readonly number[];
  /**
   * What each of them is divided by: 1 each where the board is by a mean, the reference's Brier terms where it is by skill;
   * null where it is by a sum.
   */
  readonly divisors: readonly number[] | null;
}

/** How sure a place on a board is, from 1. */
export interface RankInterval {
  readonly low: number;
  readonly high: number;
  /** With the one above, above which it may as well stand: it did in more than 2.5 % of the replicates. */
  readonly tied: boolean;
}

export interface Resampling {
  /** Of the newest round's id, so that anybody gets the same. */
  readonly seed: number;
  /** How many rounds there are in all. */
  readonly rounds: number;
  readonly replicates: number;
}

export const REPLICATES = 1000;

/** What lies outside on each side. */
const TAIL = 0.025;

/** After so many replicates of a hundred agents and a month of rounds a few milliseconds have passed. */
const REPLICATES_OF_A_STEP = 20;

/** How often each round counts in each replicate. */
export interface Draws extends Resampling {
  /** Of one replicate, by the places of the rounds. */
  readonly weights: (replicate: number) => Uint8Array;
}

/** Draws as they are asked for, and keeps them for the boards that have the same rounds, since drawing is the larger part of the work. */
export function drawsOf(resampling: Resampling): Draws {
  const { seed, rounds, replicates } = resampling;
  const next = uniforms(seed);
  const all = new Uint8Array(rounds * replicates);
  let drawn = 0;
  return {
    ...resampling,
    weights(replicate) {
      const end = (replicate + 1) * rounds;
      for (; drawn < end; drawn += 1) all[drawn] = poisson(next());
      return all.subarray(end - rounds, end);
    },
  };
}

/**
 * The 95 % interval of each agent's rank, and whether it is tied with the one above, for agents in the board's order. A
 * bootstrap over rounds: in each replicate every round counts as often as a Poisson of mean 1 says, the same for all
 * agents, since they share the rounds' outcomes. Higher figures rank first; equal ones share a rank. In steps, between which
 * the caller may do something else.
 */
export function* rankIntervalSteps(
  agents: readonly RoundFigures[],
  { replicates, weights: weightsOf }: Draws,
): Generator<undefined, readonly RankInterval[], undefined> {
  const drawn = agents.map(drawnFrom);
  const values = new Float64Array(agents.length);
  const seen = agents.map(() => new Uint32Array(agents.length + 1));
  const overtaken = new Uint32Array(agents.length);
  for (let replicate = 0; replicate < replicates; replicate += 1) {
    if (replicate % REPLICATES_OF_A_STEP === 0) yield;
    const weights = weightsOf(replicate);
    drawn.forEach((agent, place) => {
      values[place] = valueOf(agent, weights);
    });
    countRanks(values, seen);
    for (let place = 1; place < values.length; place += 1)
      if ((values[place] ?? 0) >= (values[place - 1] ?? 0)) overtaken[place] = (overtaken[place] ?? 0) + 1;
  }
  return seen.map((counts, place) => ({
    ...middleOf(counts, replicates),
    tied: (overtaken[place] ?? 0) > TAIL * replicates,
  }));
}

/** Figures in typed arrays, since they are gone through a thousand times: a sixth of the time that lists take. */
interface Drawn {
  readonly rounds: Uint32Array;
  readonly figures: Float64Array;
  readonly divisors: Float64Array | null;
}

function drawnFrom({ rounds, figures, divisors }: RoundFigures): Drawn {
  return {
    rounds: Uint32Array.from(rounds),
    figures: Float64Array.from(figures),
    divisors: divisors === null ? null : Float64Array.from(divisors),
  };
}

/** The board's figure of an agent when rounds count as often as `weights` say; lowest of all when none of its own counts. */
function valueOf({ rounds, figures, divisors }: Drawn, weights: Uint8Array): number {
  const top = weighted(figures, rounds, weights);
  if (divisors === null) return top;
  const bottom = weighted(divisors, rounds, weights);
  return bottom > 0 ? top / bottom : -Infinity;
}

function weighted(figures: Float64Array, rounds: Uint32Array, weights: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < rounds.length; index += 1)
    sum += (weights[rounds[index] ?? -1] ?? 0) * (figures[index] ?? 0);
  return sum;
}

/** Counts for each place which rank its value has among all: one more than how many are higher. */
function countRanks(values: Float64Array, seen: readonly Uint32Array[]): void {
  const sorted = values.toSorted();
  seen.forEach((counts, place) => {
    const rank = 1 + sorted.length - countUpTo(sorted, values[place] ?? 0);
    counts[rank] = (counts[rank] ?? 0) + 1;
  });
}

/** How many of the ascending values are not above `most`. */
function countUpTo(sorted: Float64Array, most: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What is left of the ranks, counted by rank, without the tails. */
function middleOf(counts: Uint32Array, replicates: number): { readonly low: number; readonly high: number } {
  const cut = Math.floor(TAIL * replicates);
  return { low: rankAt(counts, cut), high: rankAt(counts, replicates - 1 - cut) };
}

/** The rank that stands at `index` when all that were counted are put in order. */
function rankAt(counts: Uint32Array, index: number): number {
  let passed = 0;
  for (const [rank, count] of counts.entries()) {
    passed += count;
    if (passed > index) return rank;
  }
  return 1;
}

/** P(N <= k) of a Poisson of mean 1, for k = 0, 1, ...; beyond, a double is 1. */
const POISSON = [
  0.36787944117144233, 0.7357588823428847, 0.9196986029286058, 0.9810118431238462, 0.9963401531726563,
  0.9994058151824183, 0.999916758850712, 0.9999897508033253, 0.999998874797402, 0.9999998885745217, 0.9999999899522336,
] as const;

/** The Poisson of mean 1 that a uniform number stands for, by inversion. */
function poisson(uniform: number): number {
  let count = 0;
  while (count < POISSON.length && uniform >= (POISSON[count] ?? 1)) count += 1;
  return count;
}
