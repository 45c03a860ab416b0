import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { Fetch } from '../../../../src/market/live/fetch-reply.ts';
import type { LiveMarket } from '../../../../src/market/live/live.ts';
import type { HourVerdict } from '../../../../src/market/market.ts';
import { addHours } from '../../../../src/rules/hours.ts';
import type { Fault } from './played-exchange.ts';
import { playSources, type PlayedSources } from './played-sources.ts';
import { DECIDED_HOUR, FACTORS, honestFigures, wavyMarket } from './wavy-market.ts';

const END = addHours(DECIDED_HOUR, 1);
const AT_ONCE = new Date(END.getTime() + 400);
const LATER = new Date(END.getTime() + 8_000);

/** No trade has opened the next hour yet. */
const LATE: Fault = { candles: (candles) => candles.filter(({ start }) => start < END.getTime()) };
const BROKEN: Fault = { reply: (reply) => ({ ...reply, status: 500 }) };

let sources: PlayedSources;
beforeEach(async () => {
  sources = await playSources(wavyMarket(), FACTORS);
});
afterEach(async () => {
  await sources[Symbol.asyncDispose]();
});

function ailing(faults: Partial<Record<keyof PlayedSources['exchanges'], Fault>>): void {
  for (const exchange of Object.values(sources.exchanges)) exchange.fault = faults[exchange.name] ?? null;
}

function decideAt(live: LiveMarket, now: Date, assets: readonly ('BTC' | 'ETH' | 'DOT')[] = ['BTC']) {
  sources.market.now = now;
  return live.decide(assets, [DECIDED_HOUR], now);
}

function leftOut({ evidence }: HourVerdict): readonly string[] {
  return evidence.flatMap((one) => (one.leftOut === null ? [] : `${one.asset} ${one.source}: ${one.leftOut}`));
}

/** How often each exchange was asked. */
function requestCounts(): readonly number[] {
  return Object.values(sources.exchanges).map(({ requests }) => requests.length);
}

describe('source without a final candle', () => {
  test('the outcome of three sources is the same whenever the late one answers', async () => {
    const live = sources.open();
    ailing({ binance: LATE });
    const early = await decideAt(live, AT_ONCE);
    expect(early).toMatchObject({ problem: null, late: ['binance'], answered: 3, needed: 2 });
    expect(early.candles).toMatchObject([honestFigures(['coinbase', 'kraken'])]);
    ailing({});
    const later = await decideAt(live, LATER);
    expect(later).toMatchObject({ problem: null, late: [], answered: 3, needed: 2 });
    expect(later.candles).toMatchObject([honestFigures(['coinbase', 'kraken', 'binance'])]);
    expect(later.candles).toEqual((await decideAt(sources.open(), LATER)).candles);
  });

  test('evidence names a late source although the others agree', async () => {
    ailing({ binance: LATE, kraken: BROKEN });
    const live = sources.open();
    expect(leftOut(await decideAt(live, AT_ONCE))).toEqual([
      'BTC coinbase: No second source has a final candle to agree with.',
      'BTC kraken: It answered HTTP 500.',
      'BTC binance: It shows no later candle yet, so this one may not be final.',
    ]);
    ailing({ binance: LATE });
    expect(leftOut(await decideAt(live, AT_ONCE))).toEqual([
      'BTC binance: It was late: it shows no later candle yet, so this one may not be final.',
    ]);
    ailing({ binance: { reply: () => 'close' } });
    expect(leftOut(await decideAt(live, AT_ONCE))).toEqual([
      'BTC binance: It was late: it could not be reached, or its answer broke off.',
    ]);
  });

  test('a source that does not know the symbol is not late in the evidence', async () => {
    ailing({ kraken: { reply: (reply, { unknownSymbol }) => ({ ...reply, ...unknownSymbol }) } });
    expect(leftOut(await decideAt(sources.open(), LATER))).toEqual([
      expect.stringMatching(/^BTC kraken: (?!It was late)/),
    ]);
  });

  test('a source is late for single assets, also by permanently invalid candles', async () => {
    const live = sources.open({
      fetch: (url, init) => (url.includes('DOT') && url.includes('klines') ? empty() : fetch(url, init)),
    });
    ailing({ kraken: { candles: (candles) => candles.map((candle) => ({ ...candle, low: '0' })) } });
    const verdict = await decideAt(live, AT_ONCE, ['BTC', 'DOT']);
    expect(verdict).toMatchObject({ problem: 'no_prices', late: ['kraken', 'binance'], answered: 3 });
    expect(leftOut(verdict)).toContain('BTC kraken: Its low is not above 0.');
    expect(live.status().map(({ lateTries }) => lateTries)).toEqual([0, 1, 1]);
  });

  test('a source known to be down is not late, and does not count as an answer', async () => {
    ailing({ kraken: BROKEN });
    const live = sources.open();
    const first = await decideAt(live, AT_ONCE);
    expect(first).toMatchObject({ problem: null, late: ['kraken'], answered: 2 });
    expect(await decideAt(live, AT_ONCE)).toMatchObject({ late: ['kraken'] });
    const third = await decideAt(live, AT_ONCE);
    expect(third).toMatchObject({ problem: null, late: [], answered: 2 });
    expect(leftOut(third)).toEqual(['BTC kraken: It answered HTTP 500.']);
    expect(live.status().map(({ lateTries }) => lateTries)).toEqual([0, 2, 0]);
  });

  test('an empty list counts as an answer; an error, a broken body or a missing asset not', async () => {
    ailing({
      coinbase: { candles: () => [] },
      kraken: { reply: (reply, { unknownSymbol }) => ({ ...reply, ...unknownSymbol }) },
      binance: { reply: (reply) => ({ ...reply, text: reply.text.slice(1) }) },
    });
    expect(await decideAt(sources.open(), AT_ONCE)).toMatchObject({ problem: 'no_prices', answered: 1, needed: 2 });
    ailing({});
    const live = sources.open({
      fetch: (url, init) => (url.includes('DOTUSDT') ? Promise.reject(new TypeError('no network')) : fetch(url, init)),
    });
    expect(await decideAt(live, AT_ONCE, ['BTC', 'DOT'])).toMatchObject({ problem: null, answered: 2 });
  });
});

describe('retry', () => {
  test('a retry requests only missing candles, and keeps the evidence of each fetch', async () => {
    const live = sources.open();
    ailing({ binance: LATE });
    const early = await decideAt(live, AT_ONCE, ['BTC', 'ETH']);
    expect(requestCounts()).toEqual([2, 2, 2]);
    ailing({});
    const later = await decideAt(live, LATER, ['BTC', 'ETH']);
    expect(requestCounts()).toEqual([2, 2, 4]);
    for (const [place, evidence] of later.evidence.entries())
      if (evidence.source === 'binance') expect(evidence).toMatchObject({ counted: true, fetchedAt: LATER });
      else expect(evidence).toEqual(early.evidence[place]);
    expect(later.evidence).toContainEqual(
      expect.objectContaining({
        source: 'kraken',
        fetchedAt: AT_ONCE,
        bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
    );
  });

  test('a retry requests all sources after complete or contradictory answers, and after an hour', async () => {
    const live = sources.open();
    await decideAt(live, AT_ONCE);
    await decideAt(live, AT_ONCE);
    expect(requestCounts()).toEqual([2, 2, 2]);
    const wrong: Fault = { candles: (candles) => candles.map((one) => ({ ...one, open: '9999', low: '9999' })) };
    ailing({ kraken: wrong, binance: BROKEN });
    expect(await decideAt(live, AT_ONCE)).toMatchObject({ problem: 'sources_disagree' });
    ailing({ binance: LATE });
    expect(await decideAt(live, AT_ONCE)).toMatchObject({ problem: null, late: ['binance'] });
    const [first] = requestCounts();
    await decideAt(live, LATER);
    await decideAt(live, addHours(AT_ONCE, 1));
    expect(requestCounts()[0]).toBe(first);
    await decideAt(live, new Date(addHours(AT_ONCE, 1).getTime() + 1));
    expect(requestCounts()[0]).toBe((first ?? 0) + 1);
  });
});

test('a retry requests all sources after kept and new answers contradict each other', async () => {
  const live = sources.open();
  ailing({ kraken: BROKEN, binance: BROKEN });
  expect(await decideAt(live, AT_ONCE)).toMatchObject({ problem: 'no_prices' });
  ailing({ kraken: { candles: (candles) => candles.map((one) => ({ ...one, open: '9999', low: '9999' })) } });
  sources.exchanges.binance.fault = BROKEN;
  const problems: unknown[] = [];
  for (const time of [AT_ONCE, LATER]) problems.push((await decideAt(live, time)).problem, requestCounts()[0]);
  expect(problems).toEqual(['sources_disagree', 1, 'sources_disagree', 2]);
});

test('a source that hangs over an old round delays no new round and no other source', async () => {
  const OLD = addHours(DECIDED_HOUR, -5);
  const live = sources.open({ timeoutMs: 600_000, fetch: hangingOver(OLD) });
  sources.market.now = AT_ONCE;
  const assets = ['BTC', 'ETH', 'SOL', 'ADA'] as const;
  const old = live.decide(assets, [OLD], AT_ONCE);
  const stopped = expect(old).rejects.toThrow('The service stops.');
  const fresh = await live.decide(assets, [DECIDED_HOUR], AT_ONCE);
  expect(fresh).toMatchObject({ problem: null, late: [], answered: 3 });
  await live.stop();
  await stopped;
});

/** Binance never answers about this hour. */
function hangingOver(hour: Date): Fetch {
  return (url, init) => {
    const isOld = new URL(url).searchParams.get('startTime') === String(addHours(hour, -1).getTime());
    if (!isOld) return fetch(url, init);
    return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  };
}

async function empty(): Promise<Response> {
  return Response.json([]);
}
