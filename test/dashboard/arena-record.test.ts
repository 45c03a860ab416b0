import { describe, expect, test } from '@jest/globals';

import { arenaVerdict, gains } from '../../dashboard/arena-record.ts';

const judged = (mean: number, low: number | null, high: number | null, rounds = 240) => [
  { minute: 15, rounds, edge: { mean: 1, low: 1, high: 1 } },
  { minute: 30, rounds, edge: { mean, low, high } },
];

const round = (
  id: number,
  forecasts: { minute: number; brier: number | null; priceBrier: number | null }[] | null,
) => ({
  id,
  endTime: `2026-01-01T0${id}:00:00.000Z`,
  forecasts,
});

describe('verdict on arena and price', () => {
  test.each([
    [judged(0.021, 0.015, 0.027), 'Agents together have been better than the price so far'],
    [judged(-0.021, -0.027, -0.015), 'The price has been better than the agents together so far'],
    [judged(0.002, -0.004, 0.008), 'Agents together and the price have been equally good so far'],
    [judged(0.5, null, null, 19), 'Too early to tell: 19 of 20 rounds'],
    [[{ minute: 30, rounds: 0, edge: null }], 'Too early to tell: 0 of 20 rounds'],
  ])('the verdict claims no more than its interval supports (%#)', (checkpoints, words) => {
    expect(arenaVerdict(checkpoints)).toBe(words);
  });

  test('the record sums rounds with a scored minute, oldest first', () => {
    const newestFirst = [
      round(4, null),
      round(3, [{ minute: 30, brier: 0.5, priceBrier: 0.25 }]),
      round(2, [
        { minute: 30, brier: null, priceBrier: null },
        { minute: 15, brier: 0, priceBrier: 2 },
      ]),
      round(1, [{ minute: 30, brier: 0.25, priceBrier: 1 }]),
    ];
    expect(gains(newestFirst, 30)).toEqual([
      { at: '2026-01-01T01:00:00.000Z', cumulative: 0.75 },
      { at: '2026-01-01T03:00:00.000Z', cumulative: 0.5 },
    ]);
  });
});
