import { expect, test } from '@jest/globals';

import { breakdownFigures, byValues } from '../../src/rules/breakdowns.ts';
import { LEAD_BUCKETS } from '../../src/rules/lead-buckets.ts';

test('groups of lead times are sorted from the longest to the shortest', () => {
  const names = LEAD_BUCKETS.map(({ name }) => name);
  const sorted = names.toSorted().toSorted((one, other) => byValues(['LEAD_TIME'], [one], [other]));
  expect(sorted).toEqual(['45-60', '30-45', '15-30', '5-15', '0-5']);
});

test('groups of two dimensions are sorted by the first, then by the second', () => {
  const groups = [
    ['SOL', '0-5'],
    ['BTC', '5-15'],
    ['SOL', '45-60'],
    ['BTC', '15-30'],
  ];
  expect(groups.toSorted((one, other) => byValues(['ASSET', 'LEAD_TIME'], one, other))).toEqual([
    ['BTC', '15-30'],
    ['BTC', '5-15'],
    ['SOL', '45-60'],
    ['SOL', '0-5'],
  ]);
  expect(byValues(['HOUR_OF_DAY', 'ASSET'], ['09', 'BTC'], ['09', 'BTC'])).toBe(0);
});

test('the skill of a group is its mean gain over its mean reference, with an interval around it', () => {
  const none = { n: 20, sum: 0, squareSum: 0 };
  // 20 predictions gain 0.1 or 0.2 each over references of 0.25.
  const gain = { n: 20, sum: 3, squareSum: 0.5 };
  const sums = { n: 20, hits: 15, confidence: none, brier: none, gain, referenceSum: 5, edge: none, pnlUsd: none };
  const { skill } = breakdownFigures(sums);
  expect(skill).toMatchObject({ n: 20, mean: 0.6 });
  expect(((skill?.low ?? 0) + (skill?.high ?? 0)) / 2).toBeCloseTo(0.6, 12);
});
