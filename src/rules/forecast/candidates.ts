import type { Means } from './pooling.ts';
import { movedPrice } from './residuals.ts';

/** Neyman and Roughgarden (Are You Smarter Than a Random Expert?, 2021): the limit for many who share the price. */
const OF_MANY = 1.73;

const POOLS = [
  { name: 'half', strength: 1 / 2, mean: 'everybody' },
  { name: 'whole', strength: 1, mean: 'everybody' },
  { name: 'sharp', strength: OF_MANY, mean: 'everybody' },
  { name: 'record', strength: OF_MANY, mean: 'record' },
  { name: 'contributors', strength: 1, mean: 'contributors' },
  { name: 'best', strength: 1, mean: 'best' },
  { name: 'recent', strength: 1, mean: 'recent' },
] as const;

export const CANDIDATES: readonly string[] = ['mean', ...POOLS.map(({ name }) => name)];

/** Each candidate's probabilities, in the order of `CANDIDATES`; an empty pool repeats the price. */
export function candidatesAt(price: readonly number[], means: Means): readonly (readonly number[])[] {
  const pools = POOLS.map(({ strength, mean }) => {
    const residual = means[mean];
    return residual === null ? price : movedPrice(price, residual, strength);
  });
  return [means.crowd ?? price, ...pools];
}
