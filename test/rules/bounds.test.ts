import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { scaledAfterBounds, withinBounds } from '../../src/rules/bounds.ts';

/** Probabilities of 2, 4 or 8 answers, some of them 0. */
const probabilities = fc
  .constantFrom(2, 4, 8)
  .chain((count) => fc.array(fc.oneof(fc.nat(1000), fc.constantFrom(0, 1, 2)), { minLength: count, maxLength: count }))
  .filter((weights) => weights.some((weight) => weight > 0))
  .map((weights) => {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.map((weight) => weight / sum);
  });

test('bounded answers lie between 0.02 / (k - 1) and 0.98 and add up to 1', () => {
  fc.assert(
    fc.property(probabilities, (given) => {
      const bounded = withinBounds(given);
      expect(bounded.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
      expect(Math.min(...bounded)).toBeGreaterThanOrEqual(0.02 / (given.length - 1));
      expect(Math.max(...bounded)).toBeLessThanOrEqual(0.98 + 1e-12);
    }),
  );
});

test('probabilities within the bounds are unchanged, and the order stays', () => {
  expect(withinBounds([0.98, 0.02])).toEqual([0.98, 0.02]);
  expect(withinBounds([0.5, 0.2, 0.2, 0.1])).toEqual([0.5, 0.2, 0.2, 0.1]);
  fc.assert(
    fc.property(probabilities, (given) => {
      const bounded = withinBounds(given);
      for (const [place, one] of given.entries())
        for (const [other, second] of given.entries())
          if (one > second) expect(bounded[place]).toBeGreaterThanOrEqual(bounded[other] ?? Number.NaN);
    }),
  );
});

test('raised probabilities reduce the others in proportion', () => {
  expect(withinBounds([1, 0])[0]).toBeCloseTo(0.98, 12);
  // 0.02 / 3 twice; the rest is 3 to 1.
  const [, , third, last] = withinBounds([0, 0, 0.75, 0.25]);
  expect((third ?? 0) / (last ?? 1)).toBeCloseTo(3, 12);
});

test('version 1 of the rules violated the bounds by up to 1.7 %', () => {
  const bounded = scaledAfterBounds([0.9, 0.1, 0, 0, 0, 0, 0, 0]);
  expect(Math.min(...bounded)).toBeLessThan(0.99 * (0.02 / 7));
});
