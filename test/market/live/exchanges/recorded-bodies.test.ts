import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';

import { EXCHANGES, liveMarket } from '../../../../src/market/live/live.ts';
import type { SourceName } from '../../../../src/market/live/exchanges/exchange.ts';
import { parseExactJson } from '../../../../src/market/live/fetch-reply.ts';
import type { SourceCandle } from '../../../../src/market/market.ts';

const LATER = new Date('2026-09-01T00:00:00Z');
const FIXTURES = fileURLToPath(new URL('../../../../../shared/market/fixtures', import.meta.url));

/** On a CI machine the bodies must be there, so their absence fails the tests rather than skipping them. */
const absent = !existsSync(FIXTURES) && process.env['CI'] !== 'true';
const describeRecorded = absent ? describe.skip : describe;
const reason = absent ? ` (skipped: ${FIXTURES} is absent)` : '';

function recorded(file: string): string {
  return readFileSync(join(FIXTURES, file), 'utf8');
}

/** What a live market of that source makes of BTC's hour when every answer is this body. */
async function shown(source: SourceName, file: string, hour: string): Promise<SourceCandle | undefined> {
  const live = liveMarket({
    sources: [source],
    now: () => LATER,
    realNow: () => LATER,
    random: () => 0,
    wait: async () => {},
    report: () => {},
    fetch: async () => new Response(recorded(file), { headers: { 'content-type': 'application/json' } }),
  });
  const { evidence } = await live.decide(['BTC'], [new Date(hour)], LATER);
  return evidence[0];
}

describeRecorded(`recorded bodies${reason}`, () => {
  test('Coinbase’s candles have the order time, low, high, open, close, volume', async () => {
    expect(
      await shown('coinbase', 'coinbase-candles-1h-BTC-USDT-2024-03-13.json', '2024-03-13T11:00:00Z'),
    ).toMatchObject({
      open: '73243.33',
      high: '73402.47',
      low: '73241.5',
      close: '73370.65',
      volume: '1.56794406',
      counted: false,
      leftOut: 'It shows no later candle yet, so this one may not be final.',
    });
  });

  test('Coinbase’s candle with a later one counts', async () => {
    expect(await shown('coinbase', 'coinbase-candles-1d-BTC-USD-2026-08.json', '2026-08-09T00:00:00Z')).toMatchObject({
      open: '64908.71',
      high: '65426',
      low: '64675.22',
      close: '64848.69',
      volume: '3044.21136585',
      counted: true,
    });
  });

  test('Kraken’s candles are read under its own name of the pair, as strings', async () => {
    expect(await shown('kraken', 'kraken-ohlc-1d-XBTUSD-2026-08.json', '2026-08-08T00:00:00Z')).toMatchObject({
      open: '64886.2',
      high: '65141.9',
      low: '64800.0',
      close: '64901.1',
      volume: '408.98379809',
      counted: true,
    });
  });

  test('Kraken’s newest candle, which is open, does not count', async () => {
    expect(await shown('kraken', 'kraken-ohlc-1d-XBTUSD-2026-08.json', '2026-08-17T00:00:00Z')).toMatchObject({
      close: '63426.0',
      counted: false,
    });
  });

  test('Kraken’s error inside HTTP 200 does not count', async () => {
    expect(await shown('kraken', 'kraken-error-unknown-pair.json', '2026-08-17T00:00:00Z')).toMatchObject({
      counted: false,
      leftOut: 'Its answer did not have the expected form.',
    });
  });

  test.each([
    ['coinbase', 'coinbase-candles-1m-2018-02-01.json', '2018-02-01T00:00:00Z'],
    ['kraken', 'kraken-ohlc-1m-XBTUSD-2017-08-10.json', '2017-08-10T22:00:00Z'],
    ['binance', 'binance-klines-1m-BTCUSDT-2021-10-22.json', '2021-10-22T23:00:00Z'],
  ] as const)('minute candles of %s do not answer a request for hours', async (source, file, hour) => {
    expect(await shown(source, file, hour)).toMatchObject({
      counted: false,
      leftOut: 'Its candles do not open on whole hours.',
    });
  });

  test('Coinbase’s numbers keep their digits', () => {
    const { candles } = EXCHANGES.coinbase.candlesOf(parseExactJson(recorded('coinbase-candles-1m-2018-02-01.json')), {
      asset: 'BTC',
      step: '5m',
      from: new Date(0),
      to: new Date(0),
    });
    expect(candles.map(({ volume }) => volume)).toContain('4.727521520000001');
    expect(candles[0]).toMatchObject({ start: 1_517_443_740_000, low: '10106', open: '10106.01' });
  });

  test('tickers have the last price', () => {
    const [request] = EXCHANGES.coinbase.priceRequests;
    expect(request?.read(parseExactJson(recorded('coinbase-ticker-BTC-USDT-2024-03-13.json')))).toEqual({
      BTC: '73367.8',
    });
    const [kraken] = EXCHANGES.kraken.priceRequests;
    const text = recorded('kraken-ticker-XBTUSDT-2025-11.json');
    const part = /"XBTUSDT":(\{.+?\})\}/.exec(text)?.[1] ?? '';
    const names = ['XXBTZUSD', 'XETHZUSD', 'SOLUSD', 'AVAXUSD', 'XDGUSD', 'ADAUSD', 'LINKUSD', 'DOTUSD'];
    const all = `{"error":[],"result":{${names.map((name) => `"${name}":${part}`).join(',')}}}`;
    expect(kraken?.read(parseExactJson(all))).toMatchObject({ BTC: '105899.40000', DOT: '105899.40000' });
    expect(() => kraken?.read(parseExactJson(text))).toThrow('did not have the expected form');
  });
});

/** BTC's candles in an answer of Kraken. */
function read(answered: unknown) {
  return EXCHANGES.kraken.candlesOf(answered, { asset: 'BTC', step: '1h', from: new Date(0), to: new Date(0) });
}

/* Kraken names the severity by the first letter of what it says: E for an error, W for a warning, which leaves the result valid. */
describe('body of Kraken', () => {
  const row = [1_775_001_600, '1', '3', '0.5', '2', '1', '7', 4];
  const body = (error: readonly string[], more: object = {}): unknown =>
    parseExactJson(JSON.stringify({ error, result: { XXBTZUSD: [row], last: row[0] }, ...more }));

  test('Kraken’s warnings beside a result are ignored', () => {
    const warnings = ['WDatabase:Internal', 'WGeneral:Deprecated endpoint'];
    expect(read(body(warnings))).toEqual(read(body([])));
    expect(read(body([])).candles).toHaveLength(1);
  });

  test('Kraken’s errors, also beside a warning, and a missing result are refused', () => {
    for (const answered of [
      body(['EService:Unavailable']),
      body(['WDatabase:Internal', 'EGeneral:Internal error']),
      body(['WDatabase:Internal'], { result: undefined }),
      body(['something else']),
    ])
      expect(() => read(answered)).toThrow('did not have the expected form');
  });

  test('Kraken’s request for fewer requests differs from other errors', () => {
    expect(() => read(body(['WDatabase:Internal', 'EAPI:Rate limit exceeded']))).toThrow(/too (often|many)/);
  });
});
