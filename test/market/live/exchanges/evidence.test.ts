import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { Fetch } from '../../../../src/market/live/fetch-reply.ts';
import type { LiveSettings } from '../../../../src/market/live/live.ts';
import { MarketUnavailable } from '../../../../src/market/market.ts';
import { addHours, SECOND } from '../../../../src/rules/hours.ts';
import { playSources, type PlayedSources } from './played-sources.ts';
import { DECIDED_HOUR, NOW, wavyMarket } from './wavy-market.ts';

const START_S = DECIDED_HOUR.getTime() / 1000;
const PRICE = '0.10000000000000000001';

/** Answers every request with this body. */
function replies(body: string, date: string): Fetch {
  return async () => new Response(body, { headers: { 'content-type': 'application/json', date } });
}

let sources: PlayedSources;
beforeAll(async () => {
  sources = await playSources(wavyMarket());
});
afterAll(async () => {
  await sources[Symbol.asyncDispose]();
});

function requestCount(): number {
  return Object.values(sources.exchanges).reduce((sum, { requests }) => sum + requests.length, 0);
}

function open(settings: Partial<LiveSettings>) {
  for (const exchange of Object.values(sources.exchanges)) exchange.fault = null;
  return sources.open(settings);
}

describe('evidence of a decision', () => {
  test('evidence has every digit of the source, the body’s hash, its time and the fetch’s', async () => {
    const body = `[[${START_S + 3600},1,1,1,1,1],[${START_S},${PRICE},0.2,${PRICE},0.20,12.50]]`;
    const fetch = replies(body, 'Mon, 02 Mar 2026 12:03:18 GMT');
    const live = open({ sources: ['coinbase'], realNow: () => NOW, fetch });
    const verdict = await live.decide(['DOGE'], [DECIDED_HOUR], NOW);
    const figures = { open: PRICE, high: '0.2', low: PRICE, close: '0.20', volume: '12.50' };
    expect(verdict.problem).toBeNull();
    expect(verdict.candles).toEqual([{ asset: 'DOGE', hourStart: DECIDED_HOUR, ...figures }]);
    expect(verdict.evidence).toEqual([
      {
        source: 'coinbase',
        asset: 'DOGE',
        hourStart: DECIDED_HOUR,
        ...figures,
        bodyHash: createHash('sha256').update(body).digest('hex'),
        sourceTime: new Date('2026-03-02T12:03:18Z'),
        fetchedAt: NOW,
        counted: true,
        leftOut: null,
      },
    ]);
  });

  test('evidence of an invalid candle has the hash and its figures, but only numbers', async () => {
    const body = `[[${START_S + 3600},1,1,1,1,1],[${START_S},-5,8,"7<b>","1e3",null]]`;
    const live = open({ sources: ['coinbase'], fetch: replies(body, 'nonsense') });
    const { evidence } = await live.decide(['DOGE'], [DECIDED_HOUR], NOW);
    expect(evidence).toMatchObject([
      { open: null, high: '8', low: '-5', close: null, volume: null, counted: false, sourceTime: null },
    ]);
    expect(evidence[0]?.bodyHash).toBe(createHash('sha256').update(body).digest('hex'));
  });

  test.each([
    ['Tue, 03 Mar 2026 12:03:20 GMT', '2026-03-03T12:03:20Z'],
    ['Sun, 01 Mar 2026 12:03:20 GMT', '2026-03-01T12:03:20Z'],
    ['Tue, 03 Mar 2026 12:03:21 GMT', null],
    ['Sun, 01 Mar 2026 12:03:19 GMT', null],
    ['Sat, 01 Jan 20000 00:00:00 GMT', null],
    ['Thu, 01 Jan 1970 00:00:00 GMT', null],
    ['Fri, 01 Jan 0001 00:00:00 GMT', null],
    ['-200000-01-01T00:00:00Z', null],
  ])('evidence has the source’s time only within a day of the fetch: %s', async (date, time) => {
    const live = open({ sources: ['coinbase'], realNow: () => NOW, fetch: replies('[]', date) });
    const { evidence } = await live.decide(['DOGE'], [DECIDED_HOUR], NOW);
    expect(evidence[0]?.sourceTime).toEqual(time === null ? null : new Date(time));
  });

  test('evidence of a body without candles has its hash and none of its text', async () => {
    const body = '{"message":"secret"}';
    const live = open({ sources: ['coinbase'], fetch: replies(body, '') });
    const { evidence } = await live.decide(['DOGE'], [DECIDED_HOUR], NOW);
    expect(evidence[0]?.bodyHash).toBe(createHash('sha256').update(body).digest('hex'));
    expect(JSON.stringify([evidence, live.status()])).not.toContain('secret');
  });

  test('evidence of one source of two gives the missing second as the reason', async () => {
    const live = open({ sources: ['coinbase', 'kraken'] });
    sources.exchanges.kraken.fault = { reply: () => 'close' };
    const { evidence, problem } = await live.decide(['BTC'], [DECIDED_HOUR], NOW);
    expect(problem).toBe('no_prices');
    expect(evidence[0]?.leftOut).toBe('No second source has a final candle to agree with.');
  });

  test('the only configured source is enough for a decision', async () => {
    for (const name of ['coinbase', 'kraken', 'binance'] as const) {
      const { problem, evidence } = await open({ sources: [name] }).decide(['ETH'], [DECIDED_HOUR], NOW);
      expect({ problem, counted: evidence.map(({ source, counted }) => [source, counted]) }).toEqual({
        problem: null,
        counted: [[name, true]],
      });
    }
  });

  test('evidence has both problems: sources that disagree and sources without an answer', async () => {
    const live = open({
      sources: ['coinbase', 'kraken'],
      fetch: (url, init) =>
        url.includes('DOT') || url.includes('ADAUSD') ? Promise.reject(new TypeError('no network')) : fetch(url, init),
    });
    sources.exchanges.kraken.fault = {
      candles: (candles) => candles.map((candle) => ({ ...candle, open: '1000', low: '1000' })),
    };
    const { problem, evidence } = await live.decide(['DOT', 'BTC'], [DECIDED_HOUR], NOW);
    expect(problem).toBe('sources_disagree');
    expect(evidence.map(({ asset, source, leftOut }) => `${asset} ${source}: ${leftOut}`)).toEqual([
      'DOT coinbase: It could not be reached, or its answer broke off.',
      'DOT kraken: It could not be reached, or its answer broke off.',
      'BTC coinbase: No two sources agree within 0.5 %.',
      'BTC kraken: No two sources agree within 0.5 %.',
    ]);
  });
});

test('Kraken’s answer about another pair does not count', async () => {
  const live = open({ sources: ['kraken'] });
  sources.exchanges.kraken.fault = {
    reply: (reply) => ({ ...reply, text: reply.text.replace('XXBTZUSD', 'XETHZUSD') }),
  };
  const { evidence } = await live.decide(['BTC'], [DECIDED_HOUR], NOW);
  expect(evidence[0]?.leftOut).toBe('Its answer did not have the expected form.');
});

describe('candles of past hours', () => {
  const WEEK = [addHours(DECIDED_HOUR, -33), NOW] as const;
  /** When an answer that lacks something is given no more. */
  const LATER = new Date(NOW.getTime() + 5 * SECOND);

  test('past candles are requested once an hour per asset and source', async () => {
    const live = open({});
    const before = requestCount();
    const candles = await live.hourCandles('ETH', ...WEEK, NOW);
    expect(candles).toHaveLength(34);
    expect(await live.hourCandles('ETH', ...WEEK, NOW)).toEqual(candles);
    expect(requestCount() - before).toBe(3);
    await live.hourCandles('ADA', ...WEEK, NOW);
    expect(requestCount() - before).toBe(6);
  });

  test('past candles are requested again after 5 s while a source is missing', async () => {
    const live = open({});
    sources.exchanges.kraken.fault = { reply: (reply) => ({ ...reply, status: 404 }) };
    const before = sources.exchanges.binance.requests.length;
    expect(await live.hourCandles('ETH', ...WEEK, NOW)).toHaveLength(34);
    await live.hourCandles('ETH', ...WEEK, NOW);
    expect(sources.exchanges.binance.requests.length - before).toBe(1);
    await live.hourCandles('ETH', ...WEEK, LATER);
    expect(sources.exchanges.binance.requests.length - before).toBe(2);
  });

  test('past candles are unavailable without an answer, and empty without a final candle', async () => {
    const live = open({});
    for (const exchange of Object.values(sources.exchanges)) exchange.fault = { candles: () => [] };
    expect(await live.hourCandles('ETH', ...WEEK, NOW)).toEqual([]);
    for (const exchange of Object.values(sources.exchanges)) exchange.fault = { reply: () => 'close' };
    await expect(live.hourCandles('ETH', ...WEEK, LATER)).rejects.toThrow(MarketUnavailable);
  });

  test('many past candles are requested in parts', async () => {
    const live = open({ sources: ['coinbase'] });
    const before = sources.exchanges.coinbase.requests.length;
    expect(await live.hourCandles('ETH', addHours(NOW, -500), NOW, NOW)).toHaveLength(36);
    expect(sources.exchanges.coinbase.requests.length - before).toBe(2);
  });
});
