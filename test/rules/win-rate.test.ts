import { expect, test } from '@jest/globals';
import { winRatePct } from '../../src/rules/win-rate.ts';

test.each([
  [0, 0, 0],
  [0, 3, 0],
  [1, 3, 33.33],
  [2, 3, 66.67],
  [3, 3, 100],
  [1, 800, 0.13],
  [3, 800, 0.38],
])('%i wins in %i competitions are %d %%', (wins, competitions, rate) => {
  expect(winRatePct(wins, competitions)).toBe(rate);
});
