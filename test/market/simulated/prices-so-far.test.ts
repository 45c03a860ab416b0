import { expect, test } from '@jest/globals';

import { simulatedMarket } from '../../../src/market/simulated/simulated.ts';
import { ASSETS } from '../../../src/rules/assets.ts';
import { GRID_POINTS, gridTime } from '../../../src/rules/grid.ts';
import { addHours } from '../../../src/rules/hours.ts';

const market = simulatedMarket();
const START = new Date('2026-03-04T05:00:00Z');
const END = addHours(START, 1);
const GRID = Array.from({ length: GRID_POINTS }, (_, point) => gridTime(START, point));

test('the path of a simulated hour starts and ends with the values of its candle', async () => {
  const path = market.pricesSoFar(ASSETS, { hourStart: START, times: [...GRID, END] }, END);
  for (const [place, asset] of ASSETS.entries()) {
    const [candle] = await market.hourCandles(asset, START, END, END);
    const soFar = path.map((prices) => prices?.[place]);
    expect(soFar[0]).toEqual({ price: Number(candle?.open), high: Number(candle?.open), low: Number(candle?.open) });
    expect(soFar.at(-1)).toEqual({
      price: Number(candle?.close),
      high: Number(candle?.high),
      low: Number(candle?.low),
    });
  }
});

test('simulated highs never fall and lows never rise within an hour, and enclose whole minutes’ prices', () => {
  const path = market.pricesSoFar(['SOL'], { hourStart: START, times: GRID }, END).map((prices) => prices?.[0]);
  for (const [point, soFar] of path.entries()) {
    const { price = NaN, high = NaN, low = NaN } = soFar ?? {};
    const before = path[point - 1] ?? { high: 0, low: Infinity };
    expect(high).toBeGreaterThanOrEqual(before.high);
    expect(low).toBeLessThanOrEqual(before.low);
    if (point % 4 !== 0) continue;
    expect(price).toBeLessThanOrEqual(high);
    expect(price).toBeGreaterThanOrEqual(low);
  }
});

test('a simulated price equals that of the quotes, for any requested instants', async () => {
  const [whole, one] = [GRID, [gridTime(START, 131)]].map((times) =>
    market.pricesSoFar(['DOT', 'BTC'], { hourStart: START, times }, END),
  );
  expect(whole?.[131]).toEqual(one?.[0]);
  const quotes = market.quotes(gridTime(START, 131));
  expect(one?.[0]?.map(({ price }) => price)).toEqual(['DOT', 'BTC'].map((asset) => priceOf(quotes, asset)));
});

function priceOf(quotes: Awaited<ReturnType<typeof market.quotes>>, asset: string): number {
  const found = ASSETS.find((one) => one === asset);
  return Number(found && quotes?.assets[found].priceUsd);
}
