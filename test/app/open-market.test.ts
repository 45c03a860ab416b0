import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { checkFolder, type MarketFacts, openChosenMarket, type OpenedMarket } from '../../src/app/open-market.ts';
import { SOURCE_NAMES, type SourceName } from '../../src/market/live/exchanges/exchange.ts';
import type { Fault, PlayedReply } from '../market/live/exchanges/played-exchange.ts';
import { playSources, type PlayedSources } from '../market/live/exchanges/played-sources.ts';
import { NOW, wavyMarket } from '../market/live/exchanges/wavy-market.ts';

const DOWN: Fault = { reply: () => 'close' };

let sources: PlayedSources;
beforeAll(async () => {
  sources = await playSources(wavyMarket());
});
afterAll(async () => {
  await sources[Symbol.asyncDispose]();
});

async function open(
  settings: Partial<MarketFacts>,
  faults: Readonly<Partial<Record<SourceName, Fault>>> = {},
): Promise<OpenedMarket> {
  for (const name of SOURCE_NAMES) sources.exchanges[name].fault = faults[name] ?? null;
  const { coinbase, kraken, binance } = sources.exchanges;
  const live = {
    sources: SOURCE_NAMES,
    urls: { coinbase: coinbase.url, kraken: kraken.url, binance: binance.url },
    now: () => NOW,
    realNow: () => NOW,
    random: () => 0,
    wait: async () => {},
    report: () => {},
  };
  const unset = { market: undefined, stored: null, switching: false, clockFits: true, answersWithinMs: 60_000 };
  const opened = await openChosenMarket({ ...unset, live, ...settings });
  await opened.stop();
  return opened;
}

describe('first start without a setting', () => {
  test('a first start is live when two exchanges answer, and has quotes at once', async () => {
    const { market, choice } = await open({}, { kraken: DOWN });
    expect([market.source, choice, market.warning]).toEqual(['coinbase+kraken+binance', 'live', null]);
    expect(market.quotes(NOW)).toMatchObject({ stale: false });
  });

  test('a first start is simulated, with a warning, when only one exchange answers', async () => {
    const { market, choice, why } = await open({}, { kraken: DOWN, binance: DOWN });
    expect([market.source, choice, why]).toEqual([
      'simulated',
      'simulated',
      expect.stringMatching(/^too few exchanges answer\./),
    ]);
    expect(market.warning).toMatch(/simulated, not real/);
  });
});

test('a first start does not wait for exchanges that hang', async () => {
  const hangs = { hangs: true };
  const opened = await open({ answersWithinMs: 1 }, { coinbase: hangs, kraken: hangs, binance: hangs });
  expect([opened.choice, opened.why]).toEqual(['simulated', expect.stringMatching(/^too few exchanges answer\./)]);
});

test('a first start with another clock requests no exchange', async () => {
  const before = sources.exchanges.coinbase.requests.length;
  const { choice, why } = await open({ clockFits: false });
  expect([choice, why]).toEqual(['simulated', 'the clock is not the real one']);
  expect(sources.exchanges.coinbase.requests.length).toBe(before);
});

test('an exchange that answers but refuses this location does not make a start live', async () => {
  const refusing = { reply: (reply: PlayedReply) => ({ ...reply, status: 404 }) };
  const { market } = await open({}, { coinbase: refusing, kraken: refusing });
  expect(market.source).toBe('simulated');
});

test('a later start requests no exchange before it is known to be live', async () => {
  const before = sources.exchanges.coinbase.requests.length;
  expect((await open({ stored: 'simulated' })).market.source).toBe('simulated');
  expect(sources.exchanges.coinbase.requests.length).toBe(before);
  expect((await open({ stored: 'live' }, { coinbase: DOWN, kraken: DOWN, binance: DOWN })).market.source).toBe(
    'coinbase+kraken+binance',
  );
});

test('a database of simulated prices continues with live ones only on request', async () => {
  await expect(open({ market: 'live', stored: 'simulated' })).rejects.toThrow('MARKET_SWITCH=yes');
  expect((await open({ market: 'live', stored: 'simulated', switching: true })).choice).toBe('live');
});

test('a setting opens its market', async () => {
  expect((await open({ market: 'simulated' })).market.source).toBe('simulated');
  await expect(open({ market: 'replay:/nowhere' })).rejects.toThrow('Replay folder /nowhere cannot be read');
});

test('a folder without candles is refused before anything is started', async () => {
  await expect(checkFolder({ market: `replay:${import.meta.dirname}` })).rejects.toThrow('has no candles of BTC');
  for (const market of ['live', 'simulated', undefined]) await checkFolder({ market });
});
