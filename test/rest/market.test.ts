import { afterEach, beforeAll, expect, test } from '@jest/globals';

import type { TestService } from '../support/service.ts';
import { FIGURE, ISO, nullOr, TEXT } from './formats.ts';
import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

const ASSET = {
  price_usd: FIGURE,
  change_1h: FIGURE,
  change_24h: FIGURE,
  high_24h: FIGURE,
  low_24h: FIGURE,
  volume_24h: FIGURE,
  provider_id: TEXT,
};

const service = sharedService(() => ({ start: '2026-01-01T12:10:00.123Z' }));
let quotes: TestService['market']['quotes'];

beforeAll(async () => {
  const present = { ...service.market };
  quotes = (now) => present.quotes(now);
});

afterEach(() => {
  Object.assign(service.market, { quotes });
});

test('market data have all 8 assets, and BTC and ETH again at the top', async () => {
  const { status, body } = await service.request('GET', '/api/data/market');
  expect(body).toEqual({
    timestamp: ISO,
    source: 'scripted',
    stale: false,
    warning: nullOr(TEXT),
    btc: ASSET,
    eth: ASSET,
    assets: {
      BTC: ASSET,
      ETH: ASSET,
      SOL: ASSET,
      AVAX: ASSET,
      DOGE: ASSET,
      ADA: ASSET,
      LINK: ASSET,
      DOT: ASSET,
    },
  });
  expect(status).toBe(200);
  expect(body.btc).toEqual(body.assets.BTC);
  expect(body.eth).toEqual(body.assets.ETH);
  for (const { price_usd, high_24h, low_24h, volume_24h } of Object.values<Record<string, number>>(body.assets)) {
    expect(price_usd).toBeGreaterThan(0);
    expect(low_24h).toBeLessThanOrEqual(Number(price_usd));
    expect(high_24h).toBeGreaterThanOrEqual(Number(price_usd));
    expect(volume_24h).toBeGreaterThan(0);
  }
});

test('market data have a flag for stale prices', async () => {
  const present = quotes(service.clock.now());
  const at = new Date('2026-01-01T12:08:00.500Z');
  Object.assign(service.market, { quotes: () => ({ ...present, at, stale: true }) });
  const { body } = await service.request('GET', '/api/data/market');
  expect(body).toMatchObject({ timestamp: '2026-01-01T12:08:00.500Z', stale: true });
});

test('market data get 503 before the first prices', async () => {
  Object.assign(service.market, { quotes: () => null });
  expectRefusal(await service.request('GET', '/api/data/market'), 503);
});
