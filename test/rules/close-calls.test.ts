import { expect, test } from '@jest/globals';

import { closestCall } from '../../src/rules/close-calls.ts';

const round = (roundId: number, thresholdPct: number | null, ...returnsPct: readonly number[]) => ({
  roundId,
  thresholdPct,
  returnsPct,
});

test.each([
  ['a return and zero', [round(1, null, -0.25), round(2, null, 0.5)], { roundId: 1, marginPct: 0.25 }],
  ['a return and its threshold', [round(1, 0.75, 0.5), round(2, -0.5, -0.625)], { roundId: 2, marginPct: 0.125 }],
  ['two returns', [round(1, null, 1.5, 1.25), round(2, null, 0, -0.5)], { roundId: 1, marginPct: 0.25 }],
  ['an unchanged price', [round(1, null, 0.1), round(2, null, 0)], { roundId: 2, marginPct: 0 }],
  ['equal margins, the first', [round(2, null, -0.5), round(1, null, 0.5)], { roundId: 2, marginPct: 0.5 }],
])('the closest call has the smallest distance: %s', (_, rounds, closest) => {
  expect(closestCall(rounds)).toEqual(closest);
});

test('no rounds have no closest call', () => {
  expect(closestCall([])).toBeNull();
});
