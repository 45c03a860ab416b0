import * as fc from 'fast-check';

import { withinBounds } from '../../../src/rules/bounds.ts';
import type { Entry } from '../../../src/rules/forecast/candidates.ts';
import type { Sums } from '../../../src/rules/statistics/means.ts';
import type { Said } from './forecast-oracle.ts';

/** Probabilities of `count` answers, as the price has them: within its bounds, or settled. */
export function priceOf(count: number): fc.Arbitrary<readonly number[]> {
  const open = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: count, maxLength: count }).map((weights) => {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return withinBounds(weights.map((weight) => weight / sum));
  });
  const settled = fc
    .nat(count - 1)
    .map((winner) => Array.from({ length: count }, (_, place) => Number(place === winner)));
  return fc.oneof({ weight: 9, arbitrary: open }, { weight: 1, arbitrary: settled });
}

/** Any probabilities of `count` answers, certainties among them. */
export function vectorOf(count: number): fc.Arbitrary<readonly number[]> {
  return fc
    .array(fc.oneof(fc.nat(1000), fc.constant(0)), { minLength: count, maxLength: count })
    .filter((weights) => weights.some((weight) => weight > 0))
    .map((weights) => {
      const sum = weights.reduce((total, weight) => total + weight, 0);
      return weights.map((weight) => weight / sum);
    });
}

const edges = fc.oneof(
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 40 }),
  fc.array(fc.double({ min: -0.1, max: 0.3, noNaN: true }), { minLength: 20, maxLength: 40 }),
);

/** A prediction of a round of `count` answers. */
export function saidOf(count: number): fc.Arbitrary<Said> {
  return fc.record({
    pick: fc.nat(count - 1),
    confidence: fc.integer({ min: 0, max: 100 }),
    reference: priceOf(count),
    edges,
  });
}

/** A round at a checkpoint: the price, and the predictions until then in the order of submission. */
export const round = fc
  .constantFrom(2, 4, 8)
  .chain((count) => fc.record({ price: priceOf(count), said: fc.array(saidOf(count), { maxLength: 25 }) }));

/** The same as src takes it. */
export function entriesOf(said: readonly Said[]): readonly Entry[] {
  return said.map(({ pick, confidence, reference, edges: own }, place) => ({
    id: place + 1,
    pickIndex: pick,
    confidence,
    reference,
    edges: sumsOf(own),
  }));
}

export function sumsOf(own: readonly number[]): Sums {
  const sum = (of: (edge: number) => number): number => own.reduce((total, edge) => total + of(edge), 0);
  return { n: own.length, sum: sum((edge) => edge), squareSum: sum((edge) => edge * edge) };
}
