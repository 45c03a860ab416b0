import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HourCandle, Market } from '../../src/market/market.ts';
import { openReplay } from '../../src/market/replay/replay.ts';
import { ASSETS, type Asset } from '../../src/rules/assets.ts';
import { addHours } from '../../src/rules/hours.ts';

const FOLDER = fileURLToPath(new URL('../../../shared/market', import.meta.url));
const LATER = new Date('2030-01-01T00:00:00Z');

/** On a CI machine the data must be there, so its absence fails the tests rather than skipping them. */
const absent = !existsSync(FOLDER) && process.env['CI'] !== 'true';
const describeData = absent ? describe.skip : describe;
const reason = absent ? ` (skipped: ${FOLDER} is absent)` : '';

async function hoursFrom(market: Market, asset: Asset, from: string, hours: number): Promise<readonly HourCandle[]> {
  const start = new Date(from);
  return market.hourCandles(asset, start, addHours(start, hours), LATER);
}

async function pricedHours(market: Market, asset: Asset, from: string, hours: number): Promise<string[]> {
  const candles = await hoursFrom(market, asset, from, hours);
  return candles.map((candle) => candle.hourStart.toISOString().slice(11, 16));
}

describeData(`the recorded candles of 2021 to 2023${reason}`, () => {
  let market: Market;
  beforeAll(async () => {
    market = await openReplay(FOLDER);
  });

  test('each asset has a price in 530 hours of April 2023', async () => {
    const months = { from: new Date('2023-04-01T00:00:00Z'), to: new Date('2023-04-25T00:00:00Z') };
    for (const asset of ASSETS)
      expect(await market.hourCandles(asset, months.from, months.to, LATER)).toHaveLength(530);
  });

  test('the hours of set A equal an independent sum of their minutes', async () => {
    for (const asset of ASSETS) {
      const lines = gunzipSync(readFileSync(join(FOLDER, `${asset}-USD-1m.csv.gz`)))
        .toString()
        .trim()
        .split('\n')
        .slice(1);
      const hours = Map.groupBy(lines, (line) => line.slice(0, 13));
      const candles = await market.hourCandles(
        asset,
        new Date('2023-04-01T22:00:00Z'),
        LATER,
        new Date('2023-04-24T00:00:00Z'),
      );
      expect(candles).toHaveLength(hours.size);
      for (const candle of candles) {
        const rows = (hours.get(candle.hourStart.toISOString().slice(0, 13)) ?? []).map((line) => line.split(','));
        const numbers = (column: number): number[] => rows.map((row) => Number(row[column]));
        expect(candle.open).toBe(rows[0]?.[1]);
        expect(candle.close).toBe(rows.at(-1)?.[4]);
        expect(Number(candle.high)).toBe(Math.max(...numbers(2)));
        expect(Number(candle.low)).toBe(Math.min(...numbers(3)));
        const volume = numbers(5).reduce((sum, value) => sum + value, 0);
        expect(Math.abs(Number(candle.volume) / volume - 1)).toBeLessThan(1e-12);
      }
    }
  });

  test('the extremes of 2021 are in the candles', async () => {
    const [top] = await hoursFrom(market, 'BTC', '2021-11-10T14:00:00Z', 1);
    const [crash] = await hoursFrom(market, 'BTC', '2021-05-19T13:00:00Z', 1);
    expect([Number(top?.high), Number(crash?.low)]).toEqual([69_000, 30_000]);
  });

  test.each([
    ['2021-02-11T01:00:00Z', ['01:00', '02:00', '05:00', '06:00']],
    ['2021-03-06T00:00:00Z', ['00:00', '01:00', '04:00', '05:00']],
    ['2021-04-20T00:00:00Z', ['00:00', '01:00', '05:00']],
    ['2021-04-25T03:00:00Z', ['03:00', '09:00', '10:00']],
    ['2021-08-13T00:00:00Z', ['00:00', '01:00', '06:00', '07:00']],
    ['2021-09-29T05:00:00Z', ['05:00', '06:00', '09:00', '10:00']],
    ['2023-03-24T11:00:00Z', ['11:00', '14:00', '15:00']],
  ])('the halt after %s and frozen hours have no price', async (from, priced) => {
    const last = priced.at(-1) ?? '';
    const hours = Number(last.slice(0, 2)) - Number(from.slice(11, 13)) + 1;
    for (const asset of ASSETS) expect(await pricedHours(market, asset, from, hours)).toEqual(priced);
  });

  test('quotes exist from the first candle to long after the last', async () => {
    expect(market.quotes(new Date('2020-12-31T23:59:59Z'))).toBeNull();
    expect(market.quotes(new Date('2021-01-01T00:00:00Z'))).toMatchObject({ stale: false });
    expect(market.quotes(new Date('2021-04-20T03:00:00Z'))).toMatchObject({
      at: new Date('2021-04-20T02:00:00Z'),
      stale: true,
    });
    expect(market.quotes(LATER)).toMatchObject({ at: new Date('2023-04-24T00:00:00Z'), stale: true });
  });
});

describeData(`the recorded minutes of April 2021${reason}`, () => {
  test.each([
    ['2021-04-20T00:00:00Z', 6, ['00:00', '01:00', '05:00']],
    ['2021-04-25T03:00:00Z', 7, ['03:00', '09:00']],
  ])('the folder of April 2021 has no price in the halt after %s', async (from, hours, priced) => {
    const market = await openReplay(join(FOLDER, '2021-04'));
    expect(market.source).toBe('replay:2021-04');
    for (const asset of ASSETS) expect(await pricedHours(market, asset, from, hours)).toEqual(priced);
  });
});
