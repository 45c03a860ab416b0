import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { MarketUnavailable } from '../../src/market/market.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { dataOf } from '../support/asking.ts';
import { scriptedMarket } from '../support/scripted-market.ts';
import { startService, type TestService } from '../support/service.ts';

const market = scriptedMarket();
let isAway = false;
let service: TestService;

beforeAll(async () => {
  market.script('BTC', '2026-01-01T10:00:00Z', null);
  market.script('BTC', '2026-01-01T11:00:00Z', ['100.10', '120.5', '90', '110']);
  const prices = {
    ...market,
    hourCandles: (...request: Parameters<typeof market.hourCandles>) => {
      if (isAway) throw new MarketUnavailable('No source answers about BTC: kraken.');
      return market.hourCandles(...request);
    },
  };
  service = await startService({ prices, rateLimits: true });
});
afterAll(() => service.stop());

async function candles(query: string) {
  return service.request('GET', `/api/data/candles${query}`);
}

describe('GET /api/data/candles', () => {
  test('candles are the last 24 complete hours with prices, oldest first', async () => {
    const { status, body } = await candles('?asset=BTC');
    expect(status).toBe(200);
    expect(body.candles).toHaveLength(23);
    expect(body.candles[0].start_time).toBe('2025-12-31T12:00:00.000Z');
    expect(body.candles.map((one: { start_time: string }) => one.start_time)).not.toContain('2026-01-01T10:00:00.000Z');
    const { volume, ...last } = body.candles.at(-1);
    expect(last).toEqual({ start_time: '2026-01-01T11:00:00.000Z', open: 100.1, high: 120.5, low: 90, close: 110 });
    expect(volume).toBeGreaterThan(0);
  });

  test('candles accept 1 to 168 hours of one of the eight assets', async () => {
    expect((await candles('?asset=ETH&hours=1')).body.candles).toHaveLength(1);
    expect((await candles('?asset=ETH&hours=168')).body.candles).toHaveLength(168);
    const refused = async (query: string) => {
      const { status, body } = await candles(query);
      return [status, body.error];
    };
    expect(await refused('?asset=ETH&hours=169')).toEqual([
      400,
      'hours must be a whole number from 1 to 168 (got 169).',
    ]);
    expect(await refused('?asset=ETH&hours=0')).toEqual([400, 'hours must be a whole number from 1 to 168 (got 0).']);
    expect(await refused('?asset=XRP')).toEqual([400, `asset must be one of ${ASSETS.join(', ')} (got "XRP").`]);
    expect((await refused(''))[0]).toBe(400);
  });

  test('candles follow the service’s clock', async () => {
    service.clock.set('2026-01-01T12:59:59.999Z');
    expect((await candles('?asset=DOT&hours=1')).body.candles[0].start_time).toBe('2026-01-01T11:00:00.000Z');
    service.clock.set('2026-01-01T13:00:00Z');
    expect((await candles('?asset=DOT&hours=1')).body.candles[0].start_time).toBe('2026-01-01T12:00:00.000Z');
  });

  test('candles have a rate limit of their own', async () => {
    const { headers } = await candles('?asset=SOL');
    expect(headers.get('x-ratelimit-limit')).toBe('120');
    const { headers: others } = await service.request('GET', '/api/data/market');
    expect(others.get('x-ratelimit-remaining')).toBe('119');
  });

  test('GraphQL returns the same candles, and an error while prices are unavailable', async () => {
    const { body } = await candles('?asset=ADA&hours=2');
    const document = '{ candles(asset: ADA, hours: 2) { startTime openUsd highUsd lowUsd closeUsd volume } }';
    expect((await dataOf(service, document)).candles).toEqual(
      body.candles.map(({ start_time: startTime, ...one }: Record<string, number>) => ({
        startTime,
        openUsd: one['open'],
        highUsd: one['high'],
        lowUsd: one['low'],
        closeUsd: one['close'],
        volume: one['volume'],
      })),
    );
    isAway = true;
    const { status, body: answer } = await candles('?asset=ADA&hours=3');
    expect([status, answer.error]).toEqual([
      503,
      'The candles of ADA cannot be fetched at present; try again shortly.',
    ]);
    isAway = false;
  });
});
