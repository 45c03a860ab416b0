import { describe, expect, test } from '@jest/globals';

import type { Market, PriceSoFar } from '../../../src/market/market.ts';
import { openReplay } from '../../../src/market/replay/replay.ts';
import { ASSETS } from '../../../src/rules/assets.ts';
import { GRID_POINTS, gridTime } from '../../../src/rules/grid.ts';
import { addHours } from '../../../src/rules/hours.ts';
import { folderOf, forAll, forOne, rowsFrom } from '../replay-folder.ts';

const START = new Date('2022-06-01T10:00:00Z');
const END = addHours(START, 1);
const GRID = Array.from({ length: GRID_POINTS }, (_, point) => gridTime(START, point));

/** Prices that tell the row: open 100 + its wave, high 2 above, low 2 below, close 1 above. */
function figures(place: number): string {
  const price = 100 + 7 * Math.sin(place);
  return [price, price + 2, price - 2, price + 1, 1].map((figure) => figure.toFixed(4)).join(',');
}

async function withFolder<T>(files: Record<string, string>, work: (market: Market) => T | Promise<T>): Promise<T> {
  await using folder = await folderOf(files);
  return await work(await openReplay(folder.path));
}

function pathIn(files: Record<string, string>, times = GRID, now = END): Promise<(PriceSoFar | null)[]> {
  return withFolder(files, (market) =>
    market.pricesSoFar(['BTC'], { hourStart: START, times }, now).map((soFar) => soFar?.[0] ?? null),
  );
}

const MINUTES = rowsFrom('2022-06-01T09:00:00Z', 1, 180, figures);

describe('path of a replayed hour', () => {
  test('the path ends with the values of the hour’s candle, except the last minute’s', async () => {
    await withFolder(forAll('1m', MINUTES), async (market) => {
      const [candle] = await market.hourCandles('ETH', START, END, END);
      const [first, last] = market.pricesSoFar(['ETH'], { hourStart: START, times: [START, END] }, END);
      expect(first).toEqual([{ price: Number(candle?.open), high: Number(candle?.open), low: Number(candle?.open) }]);
      expect(last?.[0]?.high).toBeGreaterThanOrEqual(Number(candle?.high));
      expect(last?.[0]?.low).toBeLessThanOrEqual(Number(candle?.low));
    });
  });

  test.each([1, 5])('the path never depends on later candles of %i minutes', async (minutes) => {
    const rows = rowsFrom('2022-06-01T10:00:00Z', minutes, 60 / minutes, figures);
    const whole = await pathIn(forAll(`${minutes}m`, rows));
    for (const point of [0, 1, 4, 19, 20, 21, 100, 239]) {
      const running = Math.floor(point / (4 * minutes));
      const other = rows.map((row, place) => {
        const [time, open] = row.split(',');
        if (place < running) return row;
        return place === running ? `${time},${open},999,1,500,3` : `${time},500,999,1,700,3`;
      });
      const times = GRID.slice(0, point + 1);
      expect(await pathIn(forAll(`${minutes}m`, other), times)).toEqual(whole.slice(0, point + 1));
    }
  });

  test('the path includes a candle from the instant of its end', async () => {
    const rows = rowsFrom('2022-06-01T10:00:00Z', 1, 60, (place) =>
      place === 0 ? '100,130,90,101,1' : '101,101,101,101,1',
    );
    const [running, over] = await pathIn(forAll('1m', rows), [gridTime(START, 3), gridTime(START, 4)]);
    expect(running).toEqual({ price: 100, high: 100, low: 100 });
    expect(over).toEqual({ price: 101, high: 130, low: 90 });
  });

  test('the path ends when the newest price is 5 minutes old, as with hourly candles', async () => {
    const hours = forAll('1h', rowsFrom('2022-06-01T08:00:00Z', 60, 4, figures));
    const known = (await pathIn(hours)).map((soFar) => soFar !== null);
    expect(known).toEqual(GRID.map((_, point) => point < 20));
    const halted = rowsFrom('2022-06-01T10:00:00Z', 1, 10, figures);
    const knownMinutes = (await pathIn(forAll('1m', halted))).map((soFar) => soFar !== null);
    expect(knownMinutes).toEqual(GRID.map((_, point) => point < 4 * 15));
  });

  test('the path follows the finest candles of the hour', async () => {
    const coarse = forAll(
      '5m',
      rowsFrom('2022-06-01T10:00:00Z', 5, 12, () => '100,500,1,100,1'),
    );
    const fine = forOne('BTC', '1m', rowsFrom('2022-06-01T10:00:00Z', 1, 60, figures));
    expect(await pathIn({ ...coarse, ...fine })).toEqual(
      await pathIn({ ...forAll('1m', MINUTES.slice(0, 1)), ...fine }),
    );
  });

  test('the path has no price of the hour before, and none of an asset without candles', async () => {
    const before = forAll('1m', rowsFrom('2022-06-01T09:00:00Z', 1, 60, figures));
    expect(await pathIn(before)).toEqual(GRID.map(() => null));
    const [none] = await withFolder(
      { ...forAll('1m', MINUTES), ...forOne('DOT', '1m', MINUTES.slice(0, 5)) },
      (market) => market.pricesSoFar(ASSETS, { hourStart: START, times: [START] }, END),
    );
    expect(none).toBeNull();
  });
});
