import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const MARKET = resolve(REPOSITORY, '../shared/market');

/** Minute candles of April 2023 without a gap. */
export const CALM = MARKET;
/** Minute candles of April 2021 with the exchange's halts. */
export const HALTS = resolve(MARKET, '2021-04');

/** A suite on real candles: skipped with the reason in its name where they are absent, failing there with CI=true. */
export function describeWithCandles(name: string, folder: string, suite: () => void): void {
  if (existsSync(resolve(folder, 'BTC-USD-1m.csv.gz'))) {
    describe(name, suite);
  } else if (process.env['CI'] === 'true') {
    test(`${name}: the candles exist`, () => {
      expect(`${folder} is absent`).toBe('present');
    });
  } else {
    test.skip(`${name} (skipped: no candles in ${folder})`, () => {});
  }
}
