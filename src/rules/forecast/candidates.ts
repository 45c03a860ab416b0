import type { Means } from './pooling.ts';
import { moved } from './residuals.ts';

/**
 * The extremizing of many who share what they know only in part: the limit of Neyman and Roughgarden (Are You Smarter
 * Than a Random Expert?, 2021) for many, with the price as what all know.
 */
const OF_MANY = 1.73;

/** Pools of what is added to the price: by whom, and how strongly the price is moved. */
const POOLS = [
  { name: 'half', strength: 1 / 2, mean: 'everybody' },
  { name: 'whole', strength: 1, mean: 'everybody' },
  { name: 'sharp', strength: OF_MANY, mean: 'everybody' },
  { name: 'record', strength: OF_MANY, mean: 'record' },
  { name: 'contributors', strength: 1, mean: 'contributors' },
  { name: 'best', strength: 1, mean: 'best' },
  { name: 'recent', strength: 1, mean: 'recent' },
] as const;

/** The candidates' names, in their order: the crowd's plain mean, then the pools. */
export const CANDIDATES: readonly string[] = ['mean', ...POOLS.map(({ name }) => name)];

/**
 * What each candidate says at a moment at which the price says `price`: a probability for each answer, in the order of
 * `CANDIDATES`. Where nobody counts it is the price.
 */
export function candidatesAt(price: readonly number[], means: Means): readonly (readonly number[])[] {
  const pools = POOLS.map(({ strength, mean }) => {
    const residual = means[mean];
    return residual === null ? price : moved(price, residual, strength);
  });
  return [means.crowd ?? price, ...pools];
}
