import { describe, expect, test } from '@jest/globals';
import type { Quotes } from '../../../src/market/market.ts';
import { openReplay } from '../../../src/market/replay/replay.ts';
import { ASSETS } from '../../../src/rules/assets.ts';
import { folderOf, forAll, forOne, rowsFrom } from '../replay-folder.ts';

/** Open, high, low and close tell the row's place: 100 + place, and 0.5 to either side; volume 1. */
function figures(place: number): string {
  const price = 100 + place;
  return `${price},${price}.5,${price - 1}.5,${price}.25,1`;
}

const MINUTES = forAll('1m', rowsFrom('2022-06-01T10:00:00Z', 1, 30, figures));

async function quotesAt(files: Record<string, string>, now: string): Promise<Quotes | null> {
  await using folder = await folderOf(files);
  return (await openReplay(folder.path)).quotes(new Date(now));
}

describe('quotes of a replay folder', () => {
  test('quotes are null before the first candle', async () => {
    expect(await quotesAt(MINUTES, '2022-06-01T09:59:59.999Z')).toBeNull();
  });

  test('quotes are the open of the current candle', async () => {
    for (const now of ['2022-06-01T10:05:00Z', '2022-06-01T10:05:59.999Z']) {
      const quotes = await quotesAt(MINUTES, now);
      expect(quotes).toMatchObject({ at: new Date('2022-06-01T10:05:00Z'), stale: false });
      expect(quotes?.assets.BTC.priceUsd).toBe('105');
    }
  });

  test('quotes are the last close, stale after 60 s, without a current candle', async () => {
    const end = new Date('2022-06-01T10:30:00Z');
    const fresh = await quotesAt(MINUTES, '2022-06-01T10:31:00Z');
    expect(fresh).toMatchObject({ at: end, stale: false, assets: { BTC: { priceUsd: '129.25' } } });
    const late = await quotesAt(MINUTES, '2022-06-01T10:31:00.001Z');
    expect(late).toMatchObject({ at: end, stale: true, assets: { BTC: { priceUsd: '129.25' } } });
    const years = await quotesAt(MINUTES, '2030-01-01T00:00:00Z');
    expect(years).toMatchObject({ at: end, stale: true });
    expect(years?.assets.BTC).toEqual({
      priceUsd: '129.25',
      change1hPct: 0,
      change24hPct: 0,
      high24h: '129.25',
      low24h: '129.25',
      volume24h: '0',
    });
  });

  test('changes are measured from the earliest price while history is shorter', async () => {
    const quotes = await quotesAt(MINUTES, '2022-06-01T10:20:10Z');
    expect(quotes?.assets.ETH.change1hPct).toBeCloseTo(20, 10);
    expect(quotes?.assets.ETH.change24hPct).toBeCloseTo(20, 10);
  });

  test('quotes sum the complete candles of the last 24 hours', async () => {
    const quotes = await quotesAt(MINUTES, '2022-06-01T10:03:30Z');
    expect(quotes?.assets.SOL).toMatchObject({ high24h: '103', low24h: '99.5', volume24h: '3' });
    const days = forAll('5m', rowsFrom('2022-06-01T00:00:00Z', 5, 40 * 12, figures));
    const day = await quotesAt(days, '2022-06-02T10:02:00Z');
    // Candles 121 (opened 10:05 the day before) to 407 (over at 10:00) are within; 408 is running.
    expect(day?.assets.SOL).toMatchObject({ priceUsd: '508', high24h: '508', low24h: '220.5', volume24h: '287' });
  });

  test('quotes do not depend on the future', async () => {
    const rows = rowsFrom('2022-06-01T10:00:00Z', 5, 12, figures);
    const whole = await quotesAt(forAll('5m', rows), '2022-06-01T10:22:00Z');
    const known = [...rows.slice(0, 4), '2022-06-01T10:20:00Z,104,9999,1,7777,5555'];
    expect(await quotesAt(forAll('5m', known), '2022-06-01T10:22:00Z')).toEqual(whole);
  });

  test('quotes ignore a finer step before its first candle', async () => {
    const fives = forAll('5m', rowsFrom('2022-06-01T10:00:00Z', 5, 12, figures));
    const finer = forAll(
      '1m',
      rowsFrom('2022-06-01T10:30:00Z', 1, 30, () => '1,1,1,1,1'),
    );
    const now = '2022-06-01T10:22:00Z';
    expect(await quotesAt({ ...fives, ...finer }, now)).toEqual(await quotesAt(fives, now));
    expect((await quotesAt({ ...fives, ...finer }, '2022-06-01T10:31:30Z'))?.assets.BTC).toMatchObject({
      priceUsd: '1',
    });
  });

  test('quotes have the newest price of any step', async () => {
    const hourly = forAll(
      '1h',
      rowsFrom('2022-06-01T10:00:00Z', 60, 1, () => '50,60,40,55,9'),
    );
    const both = await quotesAt({ ...hourly, ...MINUTES }, '2022-06-01T10:45:00Z');
    expect(both).toMatchObject({
      at: new Date('2022-06-01T10:30:00Z'),
      stale: false,
      assets: { BTC: { priceUsd: '129.25' } },
    });
  });

  test('quotes are as old as the asset with the oldest price', async () => {
    const files = { ...MINUTES, ...forOne('ADA', '1m', rowsFrom('2022-06-01T10:00:00Z', 1, 10, figures)) };
    expect(await quotesAt(files, '2022-06-01T10:20:00Z')).toMatchObject({
      at: new Date('2022-06-01T10:10:00Z'),
      stale: true,
    });
    const missing = { ...MINUTES, ...forOne('ADA', '1m', rowsFrom('2022-06-01T10:20:00Z', 1, 10, figures)) };
    expect(await quotesAt(missing, '2022-06-01T10:19:00Z')).toBeNull();
    expect(Object.keys((await quotesAt(missing, '2022-06-01T10:20:00Z'))?.assets ?? {})).toEqual([...ASSETS]);
  });
});
