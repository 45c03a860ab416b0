import { expect, test } from '@jest/globals';

import { keptMinRounds } from '../../src/rules/board-orders.ts';

test('a board is read from the stored one with the largest minimum up to the requested', () => {
  expect([0, 19, 20, 99, 100, 5000].map((minRounds) => keptMinRounds('POINTS', minRounds))).toEqual([
    0, 0, 20, 20, 100, 100,
  ]);
  expect([0, 20, 150].map((minRounds) => keptMinRounds('SKILL', minRounds))).toEqual([20, 20, 100]);
});
