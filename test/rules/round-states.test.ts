import { expect, test } from '@jest/globals';
import { ARENA_POINTS_POOL, VERTICAL_ID } from '../../src/rules/round-states.ts';

test('the arena points pool of a round is 10 x 200 + 500', () => {
  expect(ARENA_POINTS_POOL).toBe(2500);
});

test('the only vertical is crypto, number 1', () => {
  expect(VERTICAL_ID).toBe(1);
});
