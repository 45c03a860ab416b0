import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { describe, expect, test } from '@jest/globals';

import { ASSETS, byAsset, type Asset } from '../../../../src/rules/assets.ts';
import { addHours } from '../../../../src/rules/hours.ts';
import type { PlayedCandle, PlayedMarket } from './played-market.ts';
import { playSources } from './played-sources.ts';

const FOLDER = fileURLToPath(new URL('../../../../../shared/market', import.meta.url));

/** On a CI machine the candles must be there, so their absence fails the tests rather than skipping them. */
const absent = !existsSync(FOLDER) && process.env['CI'] !== 'true';
const describeReal = absent ? describe.skip : describe;
const reason = absent ? ` (skipped: ${FOLDER} is absent)` : '';

/** Kraken shows the recorded prices; the others differ from them by 5 basis points, as exchanges do. */
const FACTORS = { coinbase: '0.9995', kraken: '1', binance: '1.0005' };

function realMarket(from: string, to: string): PlayedMarket {
  const candles = byAsset((asset) => recordedCandles(asset, from, to));
  return { now: new Date(to), candles: (asset) => candles[asset] };
}

function recordedCandles(asset: Asset, from: string, to: string): readonly PlayedCandle[] {
  const lines = gunzipSync(readFileSync(join(FOLDER, `${asset}-USD-5m.csv.gz`)))
    .toString()
    .split('\n');
  return lines
    .filter((line) => line >= from && line <= to)
    .map((line) => {
      const [time = '', open = '', high = '', low = '', close = '', volume = ''] = line.split(',');
      return { start: Date.parse(time), open, high, low, close, volume };
    });
}

function hoursFrom(start: string, count: number): Date[] {
  return Array.from({ length: count }, (_, place) => addHours(new Date(start), place));
}

describeReal(`real candles on three played exchanges${reason}`, () => {
  test('recorded candles are decided unchanged, hour by hour and asset by asset', async () => {
    await using sources = await playSources(realMarket('2021-01-29T00:00:00Z', '2021-01-30T02:02:00Z'), FACTORS);
    const hours = hoursFrom('2021-01-29T01:00:00Z', 24);
    const { candles, problem } = await sources.open().decide(ASSETS, hours, sources.market.now);
    expect(problem).toBeNull();
    expect(candles).toHaveLength(24 * ASSETS.length);
    for (const { asset, hourStart, open, high, low, close } of candles) {
      const rows = sources.market
        .candles(asset)
        .filter(({ start }) => start >= hourStart.getTime() && start < addHours(hourStart, 1).getTime());
      expect(rows).toHaveLength(12);
      expect([open, high, low, close].map(Number)).toEqual([
        Number(rows[0]?.open),
        Math.max(...rows.map((row) => Number(row.high))),
        Math.min(...rows.map((row) => Number(row.low))),
        Number(rows.at(-1)?.close),
      ]);
    }
  });

  test('the halt of 2021-03-06 leaves its hours undecided', async () => {
    await using sources = await playSources(realMarket('2021-03-05T20:00:00Z', '2021-03-06T02:40:00Z'), FACTORS);
    const live = sources.open();
    const hours = [new Date('2021-03-06T00:00:00Z'), new Date('2021-03-06T01:00:00Z')];
    const verdict = await live.decide(['BTC'], hours, sources.market.now);
    expect(verdict.candles.map(({ hourStart }) => hourStart)).toEqual([hours[0]]);
    expect(verdict.problem).toBe('no_prices');
    expect(verdict.evidence.filter(({ hourStart }) => hourStart === hours[1]).map(({ leftOut }) => leftOut)).toEqual(
      Array.from({ length: 3 }, () => 'It shows no later candle yet, so this one may not be final.'),
    );
    sources.market.now = new Date('2021-03-06T05:01:00Z');
    await using later = await playSources(realMarket('2021-03-05T20:00:00Z', '2021-03-06T05:01:00Z'), FACTORS);
    const gap = await later.open().decide(['BTC'], [new Date('2021-03-06T02:00:00Z')], later.market.now);
    expect(gap.evidence.map(({ leftOut }) => leftOut)).toEqual(
      Array.from({ length: 3 }, () => 'It shows no candle of this hour.'),
    );
  });

  test('flat candles without volume before a halt are not decided', async () => {
    const market = realMarket('2021-02-11T00:00:00Z', '2021-02-11T05:02:00Z');
    const frozen: PlayedMarket = {
      now: market.now,
      // The minutes in which the exchange still traded, 02:00 to 02:20, are taken out: what is left of the hour is frozen.
      candles: (asset) =>
        market
          .candles(asset)
          .filter(
            ({ start }) => start < Date.parse('2021-02-11T02:00:00Z') || start >= Date.parse('2021-02-11T02:20:00Z'),
          ),
    };
    await using sources = await playSources(frozen, FACTORS);
    const verdict = await sources.open().decide(['ETH'], [new Date('2021-02-11T02:00:00Z')], market.now);
    expect(verdict).toMatchObject({ candles: [], problem: 'no_prices' });
    for (const { leftOut } of verdict.evidence) expect(leftOut).toMatch(/no trade in this hour/);
  });
});
