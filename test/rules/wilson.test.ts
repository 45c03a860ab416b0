import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { wilson95 } from '../../src/rules/wilson.ts';

// Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('of %i hits in %i the interval is the published one', (hits, n, low, high) => {
  const interval = wilson95(hits, n);
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
});

test('nothing seen has no interval', () => {
  expect(wilson95(0, 0)).toBeNull();
});

test('the interval contains the hit rate and stays within 0 and 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
      const hits = Math.round(share * n);
      const { low, high } = wilson95(hits, n) ?? { low: NaN, high: NaN };
      expect(0 <= low && low <= hits / n && hits / n <= high && high <= 1).toBe(true);
      expect(high).toBeGreaterThan(low);
    }),
  );
});
