import { expect, test } from '@jest/globals';

import { arenaGain, forecastFrom, newPools } from '../../../src/rules/forecast/made.ts';
import { saidBy } from '../../../src/rules/forecast/said.ts';
import { givenOf } from './fields.ts';

const CHOICES = ['YES', 'NO'];
const PRICE = [0.6, 0.4];
const PREDICTIONS = [
  { point: 3, pick: 1, confidence: 90, reference: PRICE, edges: [] },
  { point: 5, pick: 1, confidence: 95, reference: PRICE, edges: [] },
];

/** The inputs of a round's forecast with the first `count` predictions; the price is unknown at the `unpriced` points. */
function inputsWith(count: number, unpriced: readonly number[] = []) {
  const referenceAtPoint = (point: number) => (unpriced.includes(point) ? null : PRICE);
  const pools = newPools(CHOICES);
  pools.add(saidBy(givenOf(PREDICTIONS.slice(0, count))), referenceAtPoint);
  return { choices: CHOICES, pools: pools.all, totals: new Map(), referenceAtPoint };
}

test('the forecast at a grid point is made of the predictions of the points before it', () => {
  const all = inputsWith(2);
  for (const [point, entries] of [
    [0, 0],
    [3, 0],
    [4, 1],
    [5, 1],
    [6, 2],
  ] as const)
    expect(forecastFrom(all, point)).toEqual({ ...forecastFrom(inputsWith(entries), point), entries });
  expect(forecastFrom(all, 6).probabilities).not.toEqual(forecastFrom(all, 5).probabilities);
});

test('the forecast names its own point and those of predictions before it that have no known price', () => {
  const inputs = inputsWith(2, [3, 6]);
  expect(forecastFrom(inputs, 2).unpriced).toEqual([]);
  expect(forecastFrom(inputs, 5).unpriced).toEqual([3]);
  expect(forecastFrom(inputs, 6).unpriced).toEqual([3, 6]);
});

test('the gain over the arena is 0 without predictions before, and null without a price', () => {
  expect(arenaGain(inputsWith(2, [6]), 3, 0)).toBe(0);
  expect(arenaGain(inputsWith(2, [6]), 6, 0)).toBeNull();
  // Wrong predictions make the forecast worse than the price.
  expect(arenaGain(inputsWith(2), 6, 0)).toBeGreaterThan(0);
  expect(arenaGain(inputsWith(2), 6, 1)).toBeLessThan(0);
});
