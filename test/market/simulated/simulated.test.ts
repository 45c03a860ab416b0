import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HourCandle } from '../../../src/market/market.ts';
import { simulatedMarket } from '../../../src/market/simulated/simulated.ts';
import { ASSETS, type Asset } from '../../../src/rules/assets.ts';
import { addHours } from '../../../src/rules/hours.ts';

const START = new Date('2025-01-01T00:00:00Z');
const HOURS = 1500;
const LATER = new Date('2100-01-01T00:00:00Z');
/** The market is made of stretches of 2^22 s that meet here; prices must not show it. */
const SEAMS = [10, 226, 424, 677].map((block) => new Date(block * 2 ** 22 * 1000));

const hours: Partial<Record<Asset, readonly HourCandle[]>> = {};

beforeAll(async () => {
  const market = simulatedMarket();
  for (const asset of ASSETS) hours[asset] = await market.hourCandles(asset, START, addHours(START, HOURS), LATER);
});

function returnsOf(asset: Asset): number[] {
  return (hours[asset] ?? []).map((candle) => Math.log(Number(candle.close) / Number(candle.open)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function correlation(one: readonly number[], other: readonly number[]): number {
  const square = (values: readonly number[]): number => mean(values.map((value) => value ** 2));
  return mean(one.map((value, place) => value * (other[place] ?? 0))) / Math.sqrt(square(one) * square(other));
}

describe('simulated prices', () => {
  test.each(ASSETS)('simulated %s has the variance and the correlation with BTC of real prices', (asset) => {
    const [btc, own] = [returnsOf('BTC'), returnsOf(asset)];
    const hourlyPct = Math.sqrt(mean(own.map((value) => value ** 2))) * 100;
    expect(hourlyPct).toBeGreaterThan(asset === 'BTC' ? 0.5 : 0.65);
    expect(hourlyPct).toBeLessThan(asset === 'BTC' ? 0.6 : 1.25);
    if (asset === 'BTC') return;
    expect(correlation(btc, own)).toBeGreaterThan(0.65);
    expect(correlation(btc, own)).toBeLessThan(0.87);
  });

  test('simulated prices rise and fall equally, and hours are uncorrelated', () => {
    for (const asset of ASSETS) {
      const returns = returnsOf(asset);
      expect(returns.filter((value) => value > 0).length / HOURS).toBeCloseTo(0.5, 1);
      expect(Math.abs(correlation(returns.slice(1), returns.slice(0, -1)))).toBeLessThan(0.1);
    }
  });

  test('a simulated hour rarely ends at its open, with at least six significant digits', () => {
    for (const asset of ASSETS) {
      const candles = hours[asset] ?? [];
      expect(candles.filter((candle) => candle.open === candle.close).length).toBeLessThan(HOURS / 500);
      for (const { close } of candles)
        expect(close.replace('.', '').replace(/^0+/, '').length).toBeGreaterThanOrEqual(6);
    }
  });

  test.each(SEAMS)('simulated prices are continuous around %s and stay near their level', async (seam) => {
    for (const asset of ASSETS) {
      const candles = await simulatedMarket().hourCandles(asset, addHours(seam, -24), addHours(seam, 24), LATER);
      for (const [place, candle] of candles.entries()) {
        if (place > 0) expect(candle.open).toBe(candles[place - 1]?.close);
        expect(Math.abs(Number(candle.close) / Number(candle.open) - 1)).toBeLessThan(0.08);
      }
      const ratio = Number(candles[0]?.open) / Number(hours[asset]?.[0]?.open);
      expect(ratio).toBeGreaterThan(0.2);
      expect(ratio).toBeLessThan(5);
    }
  });

  test('simulated prices are the same on every machine', async () => {
    const quotes = simulatedMarket().quotes(new Date('2026-03-04T12:34:56.789Z'));
    expect(ASSETS.map((asset) => quotes?.assets[asset].priceUsd)).toEqual([
      '55197.61',
      '2724.993',
      '148.91016',
      '36.32824',
      '0.17286092',
      '0.4822581',
      '15.540179',
      '6.940554',
    ]);
    expect(hours.BTC?.[0]).toEqual({
      hourStart: START,
      open: '57781.16',
      high: '58155.54',
      low: '57730.83',
      close: '57955.20',
      volume: '1175.655',
    });
  });

  test('simulated quotes belong to the requested second and change with it', async () => {
    const market = simulatedMarket();
    const now = new Date('2026-03-04T12:34:56.789Z');
    const next = new Date(now.getTime() + 1000);
    const quotes = market.quotes(now);
    expect(quotes).toMatchObject({ at: new Date('2026-03-04T12:34:56Z'), stale: false });
    expect(market.quotes(next)?.assets.BTC.priceUsd).not.toBe(quotes?.assets.BTC.priceUsd);
  });

  test('simulated candles are the same after the cache was exceeded', async () => {
    const market = simulatedMarket();
    const first = await market.hourCandles('DOGE', START, addHours(START, 2), LATER);
    await market.hourCandles('DOGE', addHours(START, 2), addHours(START, 4200), LATER);
    expect(await market.hourCandles('DOGE', START, addHours(START, 2), LATER)).toEqual(first);
  });
});
