import { expect, test } from '@jest/globals';

import { until } from '../support/poll.ts';
import { playExchange } from '../market/live/exchanges/played-exchange.ts';
import { handMadeMarket, type PlayedMarket } from '../market/live/exchanges/played-market.ts';
import { endOf, launch, type Settings } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';

const SPEED = 1200;
const START = Date.parse('2026-03-08T00:50:00Z');
const DAYS = 10;
const SOURCE = 'coinbase+kraken+binance';

/** A market whose time starts with the first question and runs as fast as the service's. */
function fastMarket(): PlayedMarket {
  const start = new Date(START - 8 * 86_400_000);
  const market = handMadeMarket({ start, candles: DAYS * 288, now: start }, (place, asset) => {
    const price = 20_000 + 10 * place + asset.length;
    return { open: `${price}.5`, high: `${price + 40}`, low: `${price - 35}`, close: `${price + 9}`, volume: '1.5' };
  });
  let began: number | undefined;
  return {
    candles: (asset) => market.candles(asset),
    get now() {
      began ??= performance.now();
      return new Date(START + (performance.now() - began) * SPEED);
    },
  };
}

async function playAll(stack: AsyncDisposableStack): Promise<Settings> {
  const market = fastMarket();
  const urls: [string, string][] = [];
  for (const name of ['coinbase', 'kraken', 'binance'] as const) {
    const exchange = await playExchange(name, market);
    stack.defer(() => exchange.stop());
    urls.push([`${name.toUpperCase()}_URL`, exchange.url]);
  }
  return Object.fromEntries(urls);
}

test('a service in fast time resolves rounds with played exchanges, and its database stays with them', async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await processDatabase());
  const clock = { CLOCK_START: new Date(START).toISOString(), CLOCK_SPEED: String(SPEED) };
  const settings = { ...(await playAll(stack)), ...clock, ...database.settings };
  await using first = await launch({ ...settings, MARKET: 'live' });
  expect(first.announcement.endsWith(`with prices from: ${SOURCE}`)).toBe(true);
  const id = await until('a resolved round', async () => {
    const { rounds } = (await first.get('/api/rounds/recent')).body;
    return rounds.find(({ status }: { status: string }) => status === 'resolved')?.id ?? null;
  });
  const { body } = await first.get(`/api/rounds/${id}/evidence`);
  expect(body).toMatchObject({ status: 'resolved', source: SOURCE });
  expect(body.evidence.length).toBe(3 * body.agreed.length);
  expect(body.evidence.filter(({ counted }: { counted: boolean }) => counted).length).toBeGreaterThan(0);
  const { sources, warning } = (await first.get('/api/health')).body;
  expect([sources.map(({ source }: { source: string }) => source).join('+'), warning]).toEqual([SOURCE, null]);
  expect(await first.end()).toMatchObject({ code: 0, stderr: '' });

  await using second = await launch({ ...settings, MARKET: '' });
  expect((await second.get('/api/health')).body.market_source).toBe(SOURCE);
  expect(await second.end()).toMatchObject({ code: 0 });

  const anchor = () => database.client.query('select clock_real_at, clock_service_at, clock_speed from platform');
  const { rows: before } = await anchor();
  const { code, stderr } = await endOf({ ...settings, MARKET: 'simulated', CLOCK_SPEED: '2' });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^MARKET cannot be used: .+MARKET_SWITCH=yes.+\n$/)]);
  expect((await anchor()).rows).toEqual(before);
});
