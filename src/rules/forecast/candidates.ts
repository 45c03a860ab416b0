import { forecastOf } from '../edge.ts';
import { meanInterval, type Sums } from '../statistics/means.ts';
import { exp } from '../statistics/special-functions.ts';
import { moved, residualOf, weightedMean } from './residuals.ts';

/** A prediction that was made before the forecast is. */
export interface Entry {
  /** The prediction's: they ascend with submission. */
  readonly id: number;
  readonly pickIndex: number;
  /** Percent. */
  readonly confidence: number;
  /** What the price alone said when it was made; where that was not known, what it last said before, at first 1 / k. */
  readonly reference: readonly number[];
  /** Its agent's edges in the rounds that were decided before the forecast is made. */
  readonly edges: Sums;
}

/** How entries, in the order of submission, count: a weight from 0 on for each. */
type Weights = (entries: readonly Entry[]) => readonly number[];

/**
 * The extremizing of many who share what they know only in part: the limit of Neyman and Roughgarden (Are You Smarter
 * Than a Random Expert?, 2021) for many, with the price as what all know.
 */
const OF_MANY = 1.73;

/** A mean of few edges is drawn towards 0 as if so many more rounds had none. */
const DOUBTED_ROUNDS = 30;

const BEST = 10;

/** Pools of residuals: who counts, and how strongly the price is moved. */
const POOLS: readonly { readonly name: string; readonly strength: number; readonly weights: Weights }[] = [
  { name: 'half', strength: 1 / 2, weights: everybody },
  { name: 'whole', strength: 1, weights: everybody },
  { name: 'sharp', strength: OF_MANY, weights: everybody },
  { name: 'record', strength: OF_MANY, weights: byRecord },
  { name: 'contributors', strength: 1, weights: contributors },
  { name: 'best', strength: 1, weights: bestTen },
  { name: 'recent', strength: 1, weights: byRecency },
];

/** The candidates' names, in their order: the crowd's plain mean, then the pools. */
export const CANDIDATES: readonly string[] = ['mean', ...POOLS.map(({ name }) => name)];

/**
 * What each candidate says at a moment at which the price says `price`: a probability for each answer, in the order of
 * `CANDIDATES`. Where nobody counts it is the price. The order of the entries does not matter, not even for the last bit.
 */
export function candidatesAt(price: readonly number[], entries: readonly Entry[]): readonly (readonly number[])[] {
  const inOrder = isAscending(entries) ? entries : entries.toSorted((one, other) => one.id - other.id);
  const kinds = kindsOf(inOrder, price.length);
  const vectors = kinds.map(({ vector }) => vector);
  const residuals = kinds.map(({ residual }) => residual);
  const means = new Map<Weights, readonly number[] | null>();
  const pools = POOLS.map(({ strength, weights }) => {
    const mean = means.get(weights) ?? weightedMean(residuals, weights(inOrder), price.length);
    means.set(weights, mean);
    return mean === null ? price : moved(price, mean, strength);
  });
  return [weightedMean(vectors, everybody(inOrder), price.length) ?? price, ...pools];
}

interface Kind {
  readonly vector: readonly number[];
  readonly residual: readonly number[];
}

/** What each entry says and adds; the same for all that say the same while the price does. */
function kindsOf(entries: readonly Entry[], choiceCount: number): readonly Kind[] {
  const known = new Map<readonly number[], Kind[]>();
  return entries.map((entry) => {
    let alike = known.get(entry.reference);
    if (alike === undefined) known.set(entry.reference, (alike = []));
    return (alike[entry.confidence * choiceCount + entry.pickIndex] ??= kindOf(entry, choiceCount));
  });
}

function isAscending(entries: readonly Entry[]): boolean {
  return entries.every(({ id }, place) => place === 0 || id > (entries[place - 1]?.id ?? id));
}

function kindOf(entry: Entry, choiceCount: number): Kind {
  const vector = forecastOf(entry, choiceCount);
  return { vector, residual: residualOf(vector, entry.reference) };
}

function everybody(entries: readonly Entry[]): readonly number[] {
  return entries.map(() => 1);
}

function byRecord(entries: readonly Entry[]): readonly number[] {
  return entries.map(({ edges }) => Math.max(0, edges.sum / (edges.n + DOUBTED_ROUNDS)));
}

/** Those who have added to the price so far. */
function contributors(entries: readonly Entry[]): readonly number[] {
  return entries.map(({ edges }) => (edges.sum > 0 ? 1 : 0));
}

/** Those whose edge is surely above 0, and of them the ten whose interval begins highest. */
function bestTen(entries: readonly Entry[]): readonly number[] {
  const lows = entries.map(({ edges }) => (edges.sum > 0 ? (meanInterval(edges)?.low ?? 0) : 0));
  const sure = lows.filter((low) => low > 0).toSorted((one, other) => other - one);
  const least = sure[Math.min(BEST, sure.length) - 1] ?? Infinity;
  return lows.map((low) => (low >= least ? 1 : 0));
}

/** Beside the newest one, what counts less than e to the power of this is lost in rounding anyway. */
const LEAST_RECENCY = -40;

/** e^(sqrt n - sqrt N) for the n-th of N: the newer half of many counts most. */
function byRecency(entries: readonly Entry[]): readonly number[] {
  const newest = Math.sqrt(entries.length);
  return entries.map((_, place) => {
    const power = Math.sqrt(place + 1) - newest;
    return power < LEAST_RECENCY ? 0 : exp(power);
  });
}
