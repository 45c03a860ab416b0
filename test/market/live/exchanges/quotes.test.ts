import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { LiveMarket } from '../../../../src/market/live/live.ts';
import type { Quotes } from '../../../../src/market/market.ts';
import { HOUR } from '../../../../src/rules/hours.ts';
import type { Fault } from './played-exchange.ts';
import { playSources, type PlayedSources } from './played-sources.ts';
import { meanOf, times, trimmed } from './exact.ts';
import { FACTORS, NOW, wavyMarket } from './wavy-market.ts';

const DOWN: Fault = { reply: () => 'close' };
const OPEN = '63258.25';

let sources: PlayedSources;
let real = 0;

beforeEach(async () => {
  sources = await playSources(wavyMarket(), FACTORS);
  real = Date.UTC(2026, 0, 1);
});
afterEach(async () => {
  await sources[Symbol.asyncDispose]();
});

function open(): LiveMarket {
  return sources.open({ realNow: () => new Date(real) });
}

async function refreshed(live: LiveMarket): Promise<Quotes> {
  await live.refresh();
  const quotes = live.quotes(NOW);
  if (quotes === null) throw new Error('There are quotes by now');
  return quotes;
}

describe('quotes of live sources', () => {
  test('quotes are null before the first answer', async () => {
    const live = open();
    expect(live.quotes(NOW)).toBeNull();
    for (const exchange of Object.values(sources.exchanges)) exchange.fault = DOWN;
    await live.refresh();
    expect(live.quotes(NOW)).toBeNull();
  });

  test('quotes are the exact median of the sources', async () => {
    const live = open();
    const last = lastPrice();
    const quotes = await refreshed(live);
    expect(quotes).toMatchObject({ at: NOW, stale: false });
    expect(trimmed(quotes.assets.BTC.priceUsd)).toBe(trimmed(times(last, FACTORS.kraken)));
  });

  test('quotes are the exact mean of two sources while the third is down', async () => {
    sources.exchanges.coinbase.fault = DOWN;
    const quotes = await refreshed(open());
    const mean = meanOf(times(lastPrice(), FACTORS.kraken), times(lastPrice(), FACTORS.binance));
    expect(quotes.assets.BTC.priceUsd).toBe(mean);
  });

  test('quotes have the changes over an hour and a day, and the day’s high, low and volume', async () => {
    const { BTC } = (await refreshed(open())).assets;
    const candles = sources.market.candles('BTC');
    const [hourAgo, dayAgo] = [12, 288].map((count) => Number(candles[432 - count]?.open));
    const price = Number(lastPrice());
    expect(BTC.change1hPct).toBeCloseTo((price / (hourAgo ?? 0) - 1) * 100, 8);
    expect(BTC.change24hPct).toBeCloseTo((price / (dayAgo ?? 0) - 1) * 100, 8);
    const day = candles.slice(432 - 287, 432);
    const high = Math.max(price, ...day.map((candle) => Number(candle.high)));
    expect(Number(BTC.high24h)).toBeCloseTo(high * 1.001, 6);
    const low = Math.min(price, ...day.map((candle) => Number(candle.low)));
    expect(Number(BTC.low24h)).toBeCloseTo(low * 1.001, 6);
    expect(Number(BTC.volume24h)).toBeCloseTo(
      day.reduce((sum, candle) => sum + Number(candle.volume), 0),
      6,
    );
  });

  test('quotes remain when every source is down, and are stale after 60 s', async () => {
    const live = open();
    const before = await refreshed(live);
    for (const exchange of Object.values(sources.exchanges)) exchange.fault = DOWN;
    real += 60_000;
    expect(await refreshed(live)).toEqual(before);
    real += 1;
    expect(await refreshed(live)).toEqual({ ...before, stale: true });
    for (const exchange of Object.values(sources.exchanges)) exchange.fault = null;
    real += 30_000;
    expect(await refreshed(live)).toMatchObject({ stale: false });
  });

  test('quotes exclude a source without an answer for 60 s', async () => {
    const live = open();
    await refreshed(live);
    sources.exchanges.coinbase.fault = DOWN;
    sources.exchanges.kraken.fault = DOWN;
    real += 60_001;
    const quotes = await refreshed(live);
    expect(quotes.stale).toBe(false);
    expect(trimmed(quotes.assets.BTC.priceUsd)).toBe(trimmed(times(lastPrice(), FACTORS.binance)));
  });

  test('past prices that a source has not renewed for 15 minutes do not count beside newer ones', async () => {
    let isAway = false;
    const { coinbase, kraken } = sources.exchanges;
    const isRefused = (url: string): boolean =>
      isAway && [coinbase, kraken].some((one) => url.startsWith(one.url)) && /candles|OHLC/.test(url);
    const live = sources.open({
      realNow: () => new Date(real),
      fetch: (url, init) => (isRefused(url) ? Promise.resolve(new Response('{}', { status: 404 })) : fetch(url, init)),
    });
    await refreshed(live);
    sources.market.now = new Date(NOW.getTime() + 3 * HOUR);
    real += 30_000;
    isAway = true;
    const { BTC } = (await refreshed(live)).assets;
    const place = 432 + 36;
    const [price, hourAgo] = [place, place - 12].map((at) => sources.market.candles('BTC')[at]?.open ?? '');
    expect(trimmed(BTC.priceUsd)).toBe(trimmed(times(price ?? '', FACTORS.kraken)));
    expect(BTC.change1hPct).toBeCloseTo((Number(price) / Number(hourAgo) - 1) * 100, 8);
  });

  test('quotes are as old as the oldest of their prices', async () => {
    let isDogeAway = false;
    const live = sources.open({
      sources: ['coinbase'],
      realNow: () => new Date(real),
      fetch: (url, init) =>
        isDogeAway && url.includes('DOGE') ? Promise.reject(new TypeError('no network')) : fetch(url, init),
    });
    await refreshed(live);
    const later = new Date(NOW.getTime() + 30_000);
    sources.market.now = later;
    real += 30_000;
    isDogeAway = true;
    expect(await refreshed(live)).toMatchObject({ at: NOW, stale: false });
    isDogeAway = false;
    expect(await refreshed(live)).toMatchObject({ at: later, stale: false });
  });

  test('quotes are null while no past candle is sound', async () => {
    for (const exchange of Object.values(sources.exchanges))
      exchange.fault = { candles: (candles) => candles.map((candle) => ({ ...candle, low: '0' })) };
    const live = open();
    await live.refresh();
    expect(live.quotes(NOW)).toBeNull();
  });

  test('a change is against the last close where the source shows no candle of the time', async () => {
    const candles = sources.market.candles('BTC');
    const [before, missing] = [candles[419], candles[420]];
    sources.exchanges.coinbase.fault = { candles: (all) => all.filter(({ start }) => start !== missing?.start) };
    const { BTC } = (await refreshed(sources.open({ sources: ['coinbase'], realNow: () => new Date(real) }))).assets;
    expect(BTC.change1hPct).toBeCloseTo((Number(lastPrice()) / Number(before?.close) - 1) * 100, 8);
  });

  test('quotes exclude an invalid price', async () => {
    sources.exchanges.coinbase.fault = {
      reply: (reply) => ({ ...reply, text: reply.text.replace(/"price":"[\d.]+"/, '"price":"-1"') }),
    };
    const quotes = await refreshed(open());
    const mean = meanOf(times(lastPrice(), FACTORS.kraken), times(lastPrice(), FACTORS.binance));
    expect(quotes.assets.BTC.priceUsd).toBe(mean);
  });

  test('a refresh requests prices each time, and past candles every 5 minutes', async () => {
    const live = open();
    await live.refresh();
    const { coinbase, kraken, binance } = sources.exchanges;
    expect([coinbase, kraken, binance].map(({ requests }) => requests.length)).toEqual([16, 9, 9]);
    await live.refresh();
    expect([coinbase, kraken, binance].map(({ requests }) => requests.length)).toEqual([24, 10, 10]);
  });

  test('quotes exist after start(), which refreshes until stop()', async () => {
    const live = open();
    await live.start();
    expect(live.quotes(NOW)).toMatchObject({ stale: false });
    await live.stop();
  });
});

/** The open of the 5 minutes that are running: that is all that they have shown. */
function lastPrice(): string {
  const running = sources.market.candles('BTC').findLast(({ start }) => start <= NOW.getTime());
  expect(running?.open).toBe(OPEN);
  return running?.open ?? '';
}
