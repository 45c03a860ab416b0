import { uniforms } from './special-functions.ts';

/** One agent's rounds; the lists are parallel. */
export interface RoundFigures {
  /** Indexes into the list of all rounds, ascending. */
  readonly rounds: readonly number[];
  readonly figures: readonly number[];
  /** For a board by mean: all 1. For one by skill: the reference's Brier terms. Null for a board by sum. */
  readonly divisors: readonly number[] | null;
}

export interface RankInterval {
  readonly low: number;
  readonly high: number;
  /** Tied with the row above: in more than 2.5 % of replicates it ranked at least as high. */
  readonly tied: boolean;
}

export interface Resampling {
  /** The newest round's id, so that results are reproducible. */
  readonly seed: number;
  readonly rounds: number;
  readonly replicates: number;
}

export const REPLICATES = 1000;

const TAIL = 0.025;

/** A step takes a millisecond for a hundred agents and a month of rounds: a request waits for several. */
const REPLICATES_PER_STEP = 5;

/** Draws lazily and caches the draws for all boards of the same rounds: drawing is the larger part of the work. */
export function drawsOf(resampling: Resampling) {
  const { seed, rounds, replicates } = resampling;
  const next = uniforms(seed);
  const all = new Uint8Array(rounds * replicates);
  let drawn = 0;
  return {
    ...resampling,
    weights: (replicate: number): Uint8Array => {
      const end = (replicate + 1) * rounds;
      for (; drawn < end; drawn += 1) all[drawn] = poisson(next());
      return all.subarray(end - rounds, end);
    },
  };
}

export type Draws = ReturnType<typeof drawsOf>;

/**
 * The 95 % interval of each agent's rank, and ties, for agents in the board's order: a bootstrap over rounds. Each
 * round counts Poisson(1) times in a replicate, the same for all agents, since they share outcomes. Equal figures share
 * a rank. Yields between steps, so that the caller can do other work.
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
    if (replicate % REPLICATES_PER_STEP === 0) yield;
    const weights = weightsOf(replicate);
    drawn.forEach((agent, index) => {
      values[index] = valueOf(agent, weights);
    });
    countRanks(values, seen);
    for (let index = 1; index < values.length; index += 1)
      if ((values[index] ?? 0) >= (values[index - 1] ?? 0)) overtaken[index] = (overtaken[index] ?? 0) + 1;
  }
  return seen.map((counts, index) => ({
    ...middleOf(counts, replicates),
    tied: (overtaken[index] ?? 0) > TAIL * replicates,
  }));
}

/** Typed arrays, since figures are read a thousand times. */
function drawnFrom({ rounds, figures, divisors }: RoundFigures) {
  return {
    rounds: Uint32Array.from(rounds),
    figures: Float64Array.from(figures),
    divisors: divisors === null ? null : Float64Array.from(divisors),
  };
}

function valueOf({ rounds, figures, divisors }: ReturnType<typeof drawnFrom>, weights: Uint8Array): number {
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

function countRanks(values: Float64Array, seen: readonly Uint32Array[]): void {
  const sorted = values.toSorted();
  seen.forEach((counts, index) => {
    const rank = sorted.length - sorted.lastIndexOf(values[index] ?? 0);
    counts[rank] = (counts[rank] ?? 0) + 1;
  });
}

function middleOf(counts: Uint32Array, replicates: number): { readonly low: number; readonly high: number } {
  const cut = Math.floor(TAIL * replicates);
  return { low: rankAt(counts, cut), high: rankAt(counts, replicates - 1 - cut) };
}

function rankAt(counts: Uint32Array, index: number): number {
  let passed = 0;
  for (const [rank, count] of counts.entries()) {
    passed += count;
    if (passed > index) return rank;
  }
  return 1;
}

/** P(N <= k) for Poisson(1) and k = 0, 1, ...; beyond, a double is 1. */
const POISSON = [
  0.36787944117144233, 0.7357588823428847, 0.9196986029286058, 0.9810118431238462, 0.9963401531726563,
  0.9994058151824183, 0.999916758850712, 0.9999897508033253, 0.999998874797402, 0.9999998885745217, 0.9999999899522336,
] as const;

function poisson(uniform: number): number {
  let count = 0;
  while (count < POISSON.length && uniform >= (POISSON[count] ?? 1)) count += 1;
  return count;
}
