import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { SOURCE_NAMES } from '../../../../src/market/live/exchanges/exchange.ts';
import type { LiveMarket } from '../../../../src/market/live/live.ts';
import { ASSETS } from '../../../../src/rules/assets.ts';
import { addHours, HOUR, hourOf, MINUTE, SECOND } from '../../../../src/rules/hours.ts';
import { predict, register } from '../../../support/agents.ts';
import { RULES_VERSION } from '../../../../src/rules/versions.ts';
import { startService, type TestService } from '../../../support/service.ts';
import { times } from './exact.ts';
import type { Fault } from './played-exchange.ts';
import { shownCandles } from './played-market.ts';
import { playSources, type PlayedSources } from './played-sources.ts';
import { FACTORS, wavyMarket } from './wavy-market.ts';
import { dataOf } from '../../../support/asking.ts';

const START = new Date('2026-03-01T08:10:00Z');
const DOWN: Fault = { reply: () => 'close' };
/** No trade has opened the present hour yet. */
const LATE: Fault = { candles: (candles, { now }) => candles.filter(({ start }) => start < hourOf(now).getTime()) };
const SOURCE = 'coinbase+kraken+binance';

let sources: PlayedSources;
let live: LiveMarket;
let service: TestService;
/** Real time, as the quotes' age is counted by. */
let real = START;

beforeAll(async () => {
  sources = await playSources(wavyMarket(), FACTORS);
  sources.market.now = START;
  live = sources.open({ realNow: () => real });
  service = await startService({ start: START.toISOString(), prices: live });
});
afterAll(async () => {
  await service.stop();
  await sources[Symbol.asyncDispose]();
});

async function turnTo(time: Date): Promise<void> {
  sources.market.now = time;
  real = time;
  service.clock.set(time);
  await service.turn();
}

function ailing(faults: Partial<Record<(typeof SOURCE_NAMES)[number], Fault>>): void {
  for (const name of SOURCE_NAMES) sources.exchanges[name].fault = faults[name] ?? null;
}

async function get(path: string) {
  return service.request('GET', path);
}

describe('service with live prices', () => {
  test('the service has no prices before the first refresh, and marks old ones as stale', async () => {
    expect(await get('/api/data/market')).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining(SOURCE) },
    });
    await live.refresh();
    const { status, body } = await get('/api/data/market');
    expect([status, body.source, body.stale, body.warning]).toEqual([200, SOURCE, false, null]);
    expect(body.btc).toMatchObject({ provider_id: 'BTC-USD+XBTUSD+BTCUSDT' });
    const last = shownCandles(sources.market, 'BTC', 300_000).at(-1)?.close ?? '';
    expect(body.btc.price_usd).toBe(Number(times(last, FACTORS.kraken)));
    real = new Date(START.getTime() + 61_000);
    expect((await get('/api/data/market')).body.stale).toBe(true);
    real = START;
  });

  test('health has the status of each source', async () => {
    const { body } = await get('/api/health');
    expect(body).toMatchObject({ market_source: SOURCE, warning: null });
    expect(body.sources).toEqual(
      SOURCE_NAMES.map((source) => ({
        source,
        state: 'up',
        last_success_at: START.toISOString(),
        last_error_at: null,
        last_error: null,
      })),
    );
  });

  test('a new round has each asset’s name at each source, and no evidence', async () => {
    const { round } = (await get('/api/rounds/current')).body;
    expect(round.source).toBe(SOURCE);
    for (const [asset, name] of Object.entries(round.assets)) expect(name).toMatch(new RegExp(`^${asset}-USD\\+.+\\+`));
    expect((await get(`/api/rounds/${round.id}/evidence`)).body).toEqual({
      round_id: round.id,
      status: 'active',
      source: SOURCE,
      question_type: round.question_type,
      outcome: null,
      void_reason: null,
      agreed: [],
      evidence: [],
      rules_version: RULES_VERSION,
      amendments: [],
    });
    expect((await get('/api/rounds/999/evidence')).status).toBe(404);
  });

  test('a round is resolved at once with one source down, and shows each source’s candles', async () => {
    const player = await register(service, 'player');
    await predict(service, player);
    const { round } = (await get('/api/rounds/current')).body;
    const end = addHours(hourOf(START), 1);
    ailing({ binance: DOWN });
    real = new Date(end.getTime() - SECOND);
    for (let refreshed = 0; refreshed < 3; refreshed++) await live.refresh();
    expect((await get('/api/health')).body.sources).toMatchObject([
      { state: 'up' },
      { state: 'up' },
      { state: 'open' },
    ]);
    await turnTo(end);
    ailing({});
    const { status, body } = await get(`/api/rounds/${round.id}/evidence`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ round_id: round.id, status: 'resolved', source: SOURCE, void_reason: null });
    const { body: results } = await get(`/api/rounds/${round.id}/results`);
    expect(body.outcome).toBe(results.round.outcome);
    const hour = new Date(end.getTime() - HOUR).toISOString();
    for (const symbol of ASSETS.filter((asset) => Object.hasOwn(round.assets, asset))) {
      const honest = shownCandles(sources.market, symbol, HOUR).find(({ start }) => start === Date.parse(hour));
      const rows = body.evidence.filter((row: { symbol: string }) => row.symbol === symbol);
      expect(rows.map(({ source, counted }: Record<string, unknown>) => [source, counted])).toEqual([
        ['binance', false],
        ['coinbase', true],
        ['kraken', true],
      ]);
      const [out, coinbase, kraken] = rows;
      expect(out).toEqual({
        symbol,
        source: 'binance',
        hour_start: hour,
        open: null,
        high: null,
        low: null,
        close: null,
        volume: null,
        body_hash: null,
        source_time: null,
        fetched_at: end.toISOString(),
        counted: false,
        left_out: 'Requests to it are paused. It could not be reached, or its answer broke off.',
      });
      expect(coinbase).toMatchObject({
        hour_start: hour,
        open: times(honest?.open ?? '', FACTORS.coinbase),
        close: times(honest?.close ?? '', FACTORS.coinbase),
        volume: honest?.volume,
        body_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        source_time: expect.stringMatching(/^\d{4}-.+Z$/),
        fetched_at: end.toISOString(),
        left_out: null,
      });
      expect(kraken.open).toBe(times(honest?.open ?? '', FACTORS.kraken));
      const agreed = body.agreed.find((candle: { symbol: string }) => candle.symbol === symbol);
      expect(Number(agreed.open)).toBeCloseTo((Number(coinbase.open) + Number(kraken.open)) / 2, 6);
    }
    expect(body.agreed).toHaveLength(Object.keys(round.assets).length);
  });

  test('GraphQL has the same evidence, with figures as text', async () => {
    const query = `{ round(id: 1) { agreedCandles { symbol hourStart openUsd highUsd lowUsd closeUsd volume }
      evidence { symbol source hourStart openUsd highUsd lowUsd closeUsd volume bodyHash sourceTime fetchedAt counted leftOut } } }`;
    const { round } = await dataOf(service, query);
    const rest = (await get('/api/rounds/1/evidence')).body;
    expect(round.agreedCandles.map(Object.values)).toEqual(rest.agreed.map(Object.values));
    expect(round.evidence.map(Object.values)).toEqual(rest.evidence.map(Object.values));
  });

  test('the service waits 45 s for a late source, then decides without it', async () => {
    const { round } = (await get('/api/rounds/current')).body;
    ailing({ binance: LATE });
    const end = addHours(hourOf(service.clock.now()), 1);
    await turnTo(end);
    const waits = { status: 'resolving', agreed: [], evidence: [] };
    expect((await get(`/api/rounds/${round.id}/evidence`)).body).toMatchObject(waits);
    await turnTo(new Date(end.getTime() + 45 * SECOND - 1));
    expect((await get(`/api/rounds/${round.id}/evidence`)).body).toMatchObject(waits);
    const last = new Date(end.getTime() + 45 * SECOND);
    await turnTo(last);
    ailing({});
    const { body } = await get(`/api/rounds/${round.id}/evidence`);
    // All prices move alike, so the question may end in a tie.
    expect(['resolved/null', 'void/tie']).toContain(`${body.status}/${body.void_reason}`);
    const hour = addHours(end, -1).toISOString();
    const rows = body.evidence.filter((row: { hour_start: string }) => row.hour_start === hour);
    expect(rows).toHaveLength(3 * Object.keys(round.assets).length);
    for (const { source, counted, left_out: leftOut, fetched_at: fetchedAt } of rows)
      if (source === 'binance') {
        expect([counted, fetchedAt]).toEqual([false, last.toISOString()]);
        expect(leftOut).toBe('It was late: it shows no later candle yet, so this one may not be final.');
      } else expect([counted, fetchedAt, leftOut]).toEqual([true, end.toISOString(), null]);
  });

  test('the service waits while two sources are down, and voids after a day and ten tries', async () => {
    const { round } = (await get('/api/rounds/current')).body;
    ailing({ kraken: DOWN, binance: DOWN });
    const end = addHours(hourOf(service.clock.now()), 1);
    const waits = { status: 'resolving', agreed: [], evidence: [] };
    const tryOf = (place: number): Date => new Date(end.getTime() + 24 * HOUR + place * 10 * MINUTE);
    const tries = [end, ...Array.from({ length: 8 }, (_, place) => tryOf(place))];
    for (const now of tries) {
      await turnTo(now);
      expect((await get(`/api/rounds/${round.id}/evidence`)).body).toMatchObject(waits);
    }
    await turnTo(tryOf(8));
    ailing({});
    const { body } = await get(`/api/rounds/${round.id}/evidence`);
    expect(body).toMatchObject({ status: 'void', outcome: null, void_reason: 'no_prices', agreed: [] });
    expect(body.evidence).toHaveLength(3 * Object.keys(round.assets).length);
    for (const { source, counted, left_out: leftOut, fetched_at: fetchedAt } of body.evidence) {
      // What it showed for good is asked for again after an hour.
      const seen = tryOf(source === 'coinbase' ? 7 : 8);
      expect([counted, fetchedAt]).toEqual([false, seen.toISOString()]);
      if (source === 'coinbase') expect(leftOut).toBe('No second source has a final candle to agree with.');
    }
    expect(service.reported).toEqual([]);
  });
});
