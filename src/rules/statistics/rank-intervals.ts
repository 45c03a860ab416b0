import { uniforms } from './uniforms.ts';

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
  /** Whether it may as well stand above the one above it: it did in more than 2.5 % of the replicates. */
  readonly tiedWithAbove: boolean;
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

/**
 * The 95 % interval of each agent's rank, and whether it is tied with the one above, for agents in the board's order. A
 * bootstrap over rounds: in each replicate every round counts as often as a Poisson of mean 1 says, the same for all
 * agents, since they share the rounds' outcomes. Higher figures rank first; equal ones share a rank.
 */
export function rankIntervals(agents: readonly RoundFigures[], resampling: Resampling): readonly RankInterval[] {
  const steps = rankIntervalSteps(agents, resampling);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same in steps, between which the caller may do something else. */
export function* rankIntervalSteps(
  agents: readonly RoundFigures[],
  resampling: Resampling,
): Generator<undefined, readonly RankInterval[], undefined> {
  const next = uniforms(resampling.seed);
  const ranks = agents.map((): number[] => []);
  const overtaken = agents.map(() => 0);
  for (let replicate = 0; replicate < resampling.replicates; replicate += 1) {
    if (replicate % REPLICATES_OF_A_STEP === 0) yield;
    const weights = Array.from({ length: resampling.rounds }, () => poisson(next()));
    const values = agents.map((agent) => valueOf(agent, weights));
    ranksOf(values).forEach((rank, place) => ranks[place]?.push(rank));
    values.forEach((value, place) => {
      if (place > 0 && value >= (values[place - 1] ?? Infinity)) overtaken[place] = (overtaken[place] ?? 0) + 1;
    });
  }
  return ranks.map((seen, place) => ({
    ...middleOf(seen),
    tiedWithAbove: (overtaken[place] ?? 0) > TAIL * resampling.replicates,
  }));
}

/** The board's figure of an agent when rounds count as often as `weights` say; lowest of all when none of its own counts. */
function valueOf({ rounds, figures, divisors }: RoundFigures, weights: readonly number[]): number {
  let [top, bottom] = [0, 0];
  for (let index = 0; index < rounds.length; index += 1) {
    const weight = weights[rounds[index] ?? -1] ?? 0;
    top += weight * (figures[index] ?? 0);
    bottom += weight * (divisors?.[index] ?? 0);
  }
  if (divisors === null) return top;
  return bottom > 0 ? top / bottom : -Infinity;
}

function ranksOf(values: readonly number[]): readonly number[] {
  const order = values.map((_, place) => place).toSorted((left, right) => (values[right] ?? 0) - (values[left] ?? 0));
  const ranks = values.map(() => 1);
  let rank = 1;
  for (const [index, place] of order.entries()) {
    if (index > 0 && values[place] !== values[order[index - 1] ?? place]) rank = index + 1;
    ranks[place] = rank;
  }
  return ranks;
}

function middleOf(ranks: readonly number[]): { readonly low: number; readonly high: number } {
  const sorted = ranks.toSorted((left, right) => left - right);
  const cut = Math.floor(TAIL * sorted.length);
  return { low: sorted[cut] ?? 1, high: sorted[sorted.length - 1 - cut] ?? 1 };
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
