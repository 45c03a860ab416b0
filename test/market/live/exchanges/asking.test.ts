import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { Fetch } from '../../../../src/market/live/fetch-reply.ts';
import type { LiveMarket, LiveSettings } from '../../../../src/market/live/live.ts';
import { ASSETS } from '../../../../src/rules/assets.ts';
import { addHours } from '../../../../src/rules/hours.ts';
import { type HourVerdict, MarketUnavailable } from '../../../../src/market/market.ts';
import type { Fault } from './played-exchange.ts';
import { playSources, type PlayedSources } from './played-sources.ts';
import { DECIDED_HOUR, NOW, wavyMarket } from './wavy-market.ts';

const BROKEN: Fault = { reply: (reply) => ({ ...reply, status: 500 }) };
const RENAMED: Fault = { reply: (reply, { unknownSymbol }) => ({ ...reply, ...unknownSymbol }) };

let sources: PlayedSources;
let real = 0;
let waits: number[] = [];

beforeEach(async () => {
  sources = await playSources(wavyMarket());
  real = Date.UTC(2026, 0, 1);
  waits = [];
});
afterEach(async () => {
  await sources[Symbol.asyncDispose]();
});

/** Coinbase alone, by a real time that the test moves. */
function openCoinbase(settings: Partial<LiveSettings> = {}): LiveMarket {
  return sources.open({
    sources: ['coinbase'],
    realNow: () => new Date(real),
    wait: async (ms) => void waits.push(ms),
    ...settings,
  });
}

function decideBtc(live: LiveMarket): Promise<HourVerdict> {
  return live.decide(['BTC'], [DECIDED_HOUR], NOW);
}

function requests(): number {
  return sources.exchanges.coinbase.requests.length;
}

function limited(retryAfter: string | null): Fault {
  const headers = retryAfter === null ? {} : { 'retry-after': retryAfter };
  return { reply: (reply) => ({ ...reply, status: 429, headers }) };
}

/** Takes requests and never answers. */
function silence(urls: string[]): Fetch {
  return (url, { signal }) => {
    urls.push(url);
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
}

describe('failing source', () => {
  test('a failed request is retried once after a pause, and the retry counts', async () => {
    sources.exchanges.coinbase.next.push(BROKEN);
    const verdict = await decideBtc(openCoinbase());
    expect(verdict.problem).toBeNull();
    expect(requests()).toBe(2);
    expect(waits).toEqual([300]);
  });

  test('a source gets at most two requests', async () => {
    sources.exchanges.coinbase.fault = BROKEN;
    expect((await decideBtc(openCoinbase())).problem).toBe('no_prices');
    expect(requests()).toBe(2);
  });

  test.each([
    [0, 150],
    [0.75, 375],
  ])('the pause before a retry has jitter: %d gives %d ms', async (random, ms) => {
    sources.exchanges.coinbase.fault = BROKEN;
    await decideBtc(openCoinbase({ random: () => random }));
    expect(waits).toEqual([ms]);
  });

  test('a source is paused for 30 s after five failures, then probed once', async () => {
    sources.exchanges.coinbase.fault = BROKEN;
    const live = openCoinbase();
    for (let round = 0; round < 4; round++) await decideBtc(live);
    expect(requests()).toBe(5);
    expect(live.status()).toMatchObject([{ source: 'coinbase', state: 'open', lastError: 'It answered HTTP 500.' }]);
    const [evidence] = (await decideBtc(live)).evidence;
    expect(evidence?.leftOut).toBe('Requests to it are paused. It answered HTTP 500.');
    real += 30_000;
    expect(live.status()).toMatchObject([{ state: 'down', lastSuccessAt: null, lastErrorAt: NOW }]);
    await decideBtc(live);
    expect(requests()).toBe(6);
    real += 30_000;
    sources.exchanges.coinbase.fault = null;
    expect((await decideBtc(live)).problem).toBeNull();
    expect(live.status()).toMatchObject([{ state: 'up', lastSuccessAt: NOW }]);
  });

  test('a source that times out gets no further requests', async () => {
    const urls: string[] = [];
    const live = openCoinbase({ fetch: silence(urls), timeoutMs: 500 });
    const { evidence } = await live.decide(ASSETS, [DECIDED_HOUR], NOW);
    expect(evidence.map(({ leftOut }) => leftOut)).toEqual([
      ...Array(3).fill('It did not answer within 0.5 s.'),
      ...Array(5).fill('The request was not sent in time, since earlier ones were still unanswered.'),
    ]);
    expect(urls).toHaveLength(3);
  });

  test('a source without one symbol is up for the others', async () => {
    const live = openCoinbase();
    await live.decide(['ETH'], [DECIDED_HOUR], NOW);
    sources.exchanges.coinbase.fault = RENAMED;
    for (let round = 0; round < 7; round++) await decideBtc(live);
    expect(requests()).toBe(8);
    expect(live.status()).toMatchObject([{ state: 'up', lastError: 'It answered HTTP 404.' }]);
    sources.exchanges.coinbase.fault = null;
    expect((await live.decide(['ETH'], [DECIDED_HOUR], NOW)).problem).toBeNull();
  });

  test('refusals of one symbol between answers never mean down', async () => {
    const live = openCoinbase();
    for (let round = 0; round < 9; round++) {
      sources.exchanges.coinbase.next.push(RENAMED);
      await decideBtc(live);
      await live.decide(['ETH'], [DECIDED_HOUR], NOW);
    }
    sources.exchanges.coinbase.next.push(RENAMED);
    await decideBtc(live);
    expect(live.status()).toMatchObject([{ state: 'up', lastError: 'It answered HTTP 404.' }]);
  });

  test('a source without any of the eight symbols is down, though it answers', async () => {
    const live = openCoinbase();
    await decideBtc(live);
    sources.exchanges.coinbase.fault = RENAMED;
    await live.decide(ASSETS, [DECIDED_HOUR], NOW);
    expect(live.status()).toMatchObject([{ state: 'down' }]);
  });
});

function past(live: LiveMarket, now: Date) {
  return live.hourCandles('BTC', new Date('2026-03-02T00:00:00Z'), new Date('2026-03-02T12:00:00Z'), now);
}

describe('past hours', () => {
  test('complete hours are requested once an hour', async () => {
    const live = openCoinbase();
    const first = await past(live, NOW);
    expect(first).toHaveLength(12);
    expect(await past(live, new Date(NOW.getTime() + 600_000))).toEqual(first);
    expect(requests()).toBe(1);
    expect(await past(live, addHours(NOW, 1))).toEqual(first);
    expect(requests()).toBe(2);
  });

  test('hours are requested again after a failure', async () => {
    const live = openCoinbase();
    sources.exchanges.coinbase.next.push(BROKEN, BROKEN);
    await expect(past(live, NOW)).rejects.toBeInstanceOf(MarketUnavailable);
    expect(await past(live, NOW)).toHaveLength(12);
  });
});

describe('source that asks for a pause', () => {
  test.each([403, 418, 429, 451])('HTTP %d is not retried at once', async (status) => {
    sources.exchanges.coinbase.fault = { reply: (reply) => ({ ...reply, status }) };
    const live = openCoinbase();
    await decideBtc(live);
    await decideBtc(live);
    expect(requests()).toBe(1);
  });

  test.each([
    { retryAfter: '7', seconds: 7 },
    { retryAfter: 'Thu, 01 Jan 2026 00:02:00 GMT', seconds: 120 },
    { retryAfter: '0', seconds: 10 },
    { retryAfter: null, seconds: 10 },
    { retryAfter: 'soon', seconds: 10 },
    { retryAfter: '99999999', seconds: 1800 },
  ])('Retry-After $retryAfter pauses requests for exactly $seconds s', async ({ retryAfter, seconds }) => {
    const live = openCoinbase();
    sources.exchanges.coinbase.next.push(limited(retryAfter));
    await decideBtc(live);
    real += seconds * 1000 - 1;
    await decideBtc(live);
    expect(requests()).toBe(1);
    expect(live.status()).toMatchObject([{ state: 'open' }]);
    real += 1;
    expect((await decideBtc(live)).problem).toBeNull();
    expect(requests()).toBe(2);
  });
});

describe('Kraken’s rate limit inside HTTP 200', () => {
  test.each([
    'EAPI:Rate limit exceeded',
    'EGeneral:Too many requests',
    'EGeneral:Temporary lockout',
    'EService:Throttled: 1772452800',
  ])('Kraken’s rate limit pauses requests for 10 s like a 429: %s', async (error) => {
    const { requests: received } = sources.exchanges.kraken;
    const live = openCoinbase({ sources: ['kraken'] });
    await decideBtc(live);
    sources.exchanges.kraken.next.push({
      reply: (reply) => ({ ...reply, text: JSON.stringify({ error: [error] }) }),
    });
    const [evidence] = (await decideBtc(live)).evidence;
    expect(evidence?.leftOut).toBe('It reports too many requests: they are paused for 10 s.');
    await decideBtc(live);
    real += 9_999;
    expect(live.status()).toMatchObject([{ state: 'open' }]);
    expect(received).toHaveLength(2);
    real += 1;
    // It was never down.
    expect(live.status()).toMatchObject([{ state: 'up' }]);
    expect((await decideBtc(live)).problem).toBeNull();
    expect(received).toHaveLength(3);
  });

  test('another error of Kraken does not pause requests', async () => {
    const live = openCoinbase({ sources: ['kraken'] });
    sources.exchanges.kraken.next.push({ reply: (reply) => ({ ...reply, text: '{"error":["EService:Busy"]}' }) });
    await decideBtc(live);
    expect((await decideBtc(live)).problem).toBeNull();
  });
});

test('concurrent requests refused for their number are one failure', async () => {
  const live = openCoinbase();
  sources.exchanges.coinbase.fault = limited('7');
  for (let round = 0; round < 3; round++) {
    await live.decide(ASSETS, [DECIDED_HOUR], NOW);
    real += 7_000;
  }
  expect(requests()).toBeGreaterThan(5);
  expect(live.status()).toMatchObject([{ state: 'down' }]);
  sources.exchanges.coinbase.fault = null;
  expect((await live.decide(ASSETS, [DECIDED_HOUR], NOW)).problem).toBeNull();
});

test('a source has at most three requests in flight', async () => {
  let under = 0;
  let most = 0;
  const live = openCoinbase({
    async fetch(url, init) {
      most = Math.max(most, ++under);
      const response = await fetch(url, init);
      under--;
      return response;
    },
  });
  const verdict = await live.decide(['BTC', 'ETH', 'SOL', 'ADA', 'DOT', 'LINK'], [DECIDED_HOUR], NOW);
  expect(verdict.candles).toHaveLength(6);
  expect(most).toBe(3);
});

test('an unused source is new, and stop() ends requests without a verdict', async () => {
  const live = openCoinbase({ fetch });
  expect(live.status()).toEqual([
    { source: 'coinbase', state: 'new', lastSuccessAt: null, lastErrorAt: null, lastError: null, lateTries: 0 },
  ]);
  sources.exchanges.coinbase.fault = { hangs: true };
  const deciding = decideBtc(live);
  await live.stop();
  await expect(deciding).rejects.toBeInstanceOf(MarketUnavailable);
  expect(live.status()).toMatchObject([{ lastError: 'The request was cancelled: the service is stopping.' }]);
});

test('a base address can end in a slash', async () => {
  const live = openCoinbase({ urls: { coinbase: `${sources.exchanges.coinbase.url}/` } });
  expect((await decideBtc(live)).problem).toBeNull();
});
