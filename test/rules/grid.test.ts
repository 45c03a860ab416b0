import { describe, expect, test } from '@jest/globals';
import { assert, integer, property } from 'fast-check';

import { GRID_MS, GRID_POINTS, gridPointAt, gridSecondsLeft, gridTime, momentAt } from '../../src/rules/grid.ts';
import { HOUR } from '../../src/rules/hours.ts';

const START = new Date('2026-01-01T12:00:00Z');
const BASIS = { covariance: Array.from({ length: 64 }, (_, place) => place), signBefore: 1 } as const;

function quote(point: number, price: number) {
  return { point, prices: [price, price * 2], highs: [price + 1, price * 2 + 1], lows: [price - 1, price * 2 - 1] };
}

function pointAt(time: string): number {
  return gridPointAt(START, new Date(time));
}

describe('grid of an hour', () => {
  test('the grid has a point every 15 s, the last 15 s before the end', () => {
    expect(GRID_POINTS).toBe(240);
    expect(gridTime(START, 0)).toEqual(START);
    expect(gridTime(START, 239)).toEqual(new Date('2026-01-01T12:59:45Z'));
    expect([0, 1, 239].map(gridSecondsLeft)).toEqual([3600, 3585, 15]);
  });

  test('an instant belongs to the last grid point at or before it', () => {
    expect(pointAt('2026-01-01T12:00:00Z')).toBe(0);
    expect(pointAt('2026-01-01T12:00:14.999Z')).toBe(0);
    expect(pointAt('2026-01-01T12:00:15Z')).toBe(1);
    expect(pointAt('2026-01-01T12:59:59.999Z')).toBe(239);
    assert(
      property(integer({ min: 0, max: HOUR - 1 }), (ms) => {
        const time = START.getTime() + ms;
        const found = gridTime(START, gridPointAt(START, new Date(time))).getTime();
        expect(found).toBeLessThanOrEqual(time);
        expect(time - found).toBeLessThan(GRID_MS);
      }),
    );
  });

  test('the grid point is negative before the hour, and the last one after it', () => {
    expect(gridPointAt(START, new Date(START.getTime() - 1))).toBe(-1);
    expect(gridPointAt(START, new Date(START.getTime() + 2 * HOUR))).toBe(239);
  });
});

describe('moment of a grid point', () => {
  const quotes = new Map([quote(0, 100), quote(60, 104)].map((one) => [one.point, one]));
  const stored = { assets: ['ETH', 'SOL'], basis: BASIS, quotes } as const;

  test('a moment has the prices at its point, the open and the basis', () => {
    const moment = momentAt(stored, 60);
    expect(moment?.secondsLeft).toBe(2700);
    expect(moment?.assets).toEqual({
      ETH: { openUsd: 100, priceUsd: 104, highUsd: 105, lowUsd: 103 },
      SOL: { openUsd: 200, priceUsd: 208, highUsd: 209, lowUsd: 207 },
    });
    expect(moment?.covariance).toHaveLength(8);
    expect(moment?.covariance[1]).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(moment?.signBefore).toBe(1);
  });

  test('a moment without price, open or basis is null', () => {
    expect(momentAt(stored, 61)).toBeNull();
    expect(momentAt({ ...stored, basis: null }, 60)).toBeNull();
    expect(momentAt({ ...stored, quotes: new Map([[60, quote(60, 104)]]) }, 60)).toBeNull();
  });

  test('a quote that lacks an asset is refused', () => {
    expect(() => momentAt({ ...stored, assets: ['ETH', 'SOL', 'BTC'] }, 60)).toThrow(
      new RangeError('a quote must have a number for each asset (got 2)'),
    );
  });
});
