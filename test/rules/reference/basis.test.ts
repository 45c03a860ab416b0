import { expect, test } from '@jest/globals';

import { type Asset, ASSETS, byAsset, type ByAsset } from '../../../src/rules/assets.ts';
import { addHours } from '../../../src/rules/hours.ts';
import { basisOf } from '../../../src/rules/reference/basis.ts';
import { questionsOf } from './moments.ts';

const START = new Date('2026-11-21T00:00:00Z');
const WEEK = 168;

/** The log return of an asset in the hour that begins so many hours before `START`; no two assets have the same. */
function logReturn(asset: Asset, hoursBefore: number): number {
  return 0.001 * (1 + ASSETS.indexOf(asset)) * Math.sin(hoursBefore * (1 + ASSETS.indexOf(asset)));
}

/** Candles of the hours that begin `oldest` to 1 hours before `START`, without those that are `missing`. */
function candlesOf(asset: Asset, { oldest, missing = [] }: { oldest: number; missing?: readonly number[] }) {
  let price = 100;
  return Array.from({ length: oldest }, (_, index) => oldest - index).flatMap((hoursBefore) => {
    const open = price;
    price *= Math.exp(logReturn(asset, hoursBefore));
    const [first, last] = [open.toFixed(12), price.toFixed(12)];
    const candle = { open: first, high: first, low: last, close: last };
    return missing.includes(hoursBefore) ? [] : [{ ...candle, hourStart: addHours(START, -hoursBefore) }];
  });
}

function covarianceFrom(oldest: number, missing: Partial<ByAsset<readonly number[]>> = {}): readonly number[] {
  const [question] = questionsOf('relative');
  if (question === undefined) throw new Error('There must be a question of the type relative');
  const candles = byAsset((asset) => candlesOf(asset, { oldest, missing: missing[asset] ?? [] }));
  return basisOf(question, START, candles).covariance;
}

/** The mean products of the returns in these hours. */
function meanProducts(hours: readonly number[]): readonly number[] {
  return ASSETS.flatMap((one) =>
    ASSETS.map((other) => {
      const products = hours.map((hour) => logReturn(one, hour) * logReturn(other, hour));
      return products.reduce((sum, product) => sum + product, 0) / hours.length;
    }),
  );
}

function expectNear(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [place, value] of wanted.entries()) expect(Math.abs((found[place] ?? NaN) - value)).toBeLessThan(1e-13);
}

const hoursUntil = (oldest: number) => Array.from({ length: oldest }, (_, index) => index + 1);

test('the covariance of a reference is that of the log returns of the 168 hours before the round', () => {
  expectNear(covarianceFrom(WEEK), meanProducts(hoursUntil(WEEK)));
});

test('an hour without a candle of any asset counts for none, nor does the next, whose first price is missing', () => {
  const complete = hoursUntil(WEEK).filter((hour) => hour !== 31 && hour !== 30 && hour !== 1);
  expectNear(covarianceFrom(WEEK, { BTC: [31], DOT: [1] }), meanProducts(complete));
});

test('the covariance needs 24 complete hours, else it is the usual one', () => {
  const usual = covarianceFrom(0);
  expect(usual[0]).toBeCloseTo(0.0073 ** 2, 12);
  // Without the week's first open, the oldest hour has no return.
  expect(covarianceFrom(24)).toEqual(usual);
  expectNear(covarianceFrom(25), meanProducts(hoursUntil(24)));
});

test('a momentum round has the sign of its asset’s hour before, other rounds have none', () => {
  const candles = byAsset((asset) => candlesOf(asset, { oldest: 3 }));
  const without = byAsset((asset) => candlesOf(asset, { oldest: 3, missing: [1] }));
  for (const question of questionsOf('momentum')) {
    const { subject } = question.params;
    const sign = subject === null ? null : Math.sign(logReturn(subject, 1));
    expect(basisOf(question, START, candles).signBefore).toBe(sign);
    expect(basisOf(question, START, without).signBefore).toBeNull();
  }
  for (const question of questionsOf('direction')) expect(basisOf(question, START, candles).signBefore).toBeNull();
});
