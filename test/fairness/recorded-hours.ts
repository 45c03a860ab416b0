import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { ASSETS, byAsset, type Asset, type ByAsset } from '../../src/rules/assets.ts';
import { HOUR, MINUTE } from '../../src/rules/hours.ts';
import { covarianceOf } from '../../src/rules/reference/covariance.ts';
import type { AssetSoFar, ReferenceMoment } from '../../src/rules/reference/moment.ts';

/** One asset's whole hour in equal steps, of a minute or five: closes, and extremes up to each step's end. */
export interface Minutes {
  readonly open: number;
  readonly closes: readonly number[];
  readonly highs: readonly number[];
  readonly lows: readonly number[];
}

export interface Hour {
  readonly start: Date;
  readonly assets: ByAsset<Minutes>;
  /** The hours of the last 7 days that are whole, the oldest first; the last one is the hour before. */
  readonly before: readonly ByAsset<Minutes>[];
  readonly covariance: ReferenceMoment['covariance'];
}

/** With fewer whole hours than these in the week before, an hour is left out. */
const LEAST_HISTORY = 150;
const WEEK_HOURS = 168;

/** How long the candles are that hours are read from, in minutes. */
type StepMinutes = 1 | 5;

/** The whole hours of a folder's candles of this step that have a week of history and the hour before. */
export function recordedHours(folder: string, step: StepMinutes = 1): readonly Hour[] {
  const files = byAsset((asset) => minutesByHour(join(folder, `${asset}-USD-${step}m.csv.gz`)));
  const whole = new Map(
    [...files.BTC.keys()].flatMap((hour) => {
      const minutes = ASSETS.map((asset) => files[asset].get(hour));
      if (minutes.some((one) => one?.closes.length !== HOUR / (step * MINUTE))) return [];
      return [[hour, byAsset((asset) => found(files[asset].get(hour)))] as const];
    }),
  );
  return [...whole].flatMap(([hour, assets]) => {
    const past = Array.from({ length: WEEK_HOURS + 1 }, (_, index) => whole.get(hour - WEEK_HOURS - 1 + index));
    const before = past.slice(1).filter((one) => one !== undefined);
    if (before.length < LEAST_HISTORY || past.at(-1) === undefined) return [];
    const covariance = covarianceOf(byAsset((asset) => past.map((one) => one?.[asset].closes.at(-1) ?? null)));
    return [{ start: new Date(hour * HOUR), assets, before, covariance }];
  });
}

function minutesByHour(path: string): ReadonlyMap<number, Minutes> {
  const hours = new Map<number, { open: number; closes: number[]; highs: number[]; lows: number[] }>();
  for (const line of gunzipSync(readFileSync(path)).toString().trim().split('\n').slice(1)) {
    const [timestamp = '', open, high, low, close] = line.split(',');
    const hour = Math.floor(Date.parse(timestamp) / HOUR);
    const minutes = hours.get(hour) ?? { open: Number(open), closes: [], highs: [], lows: [] };
    hours.set(hour, minutes);
    minutes.closes.push(Number(close));
    minutes.highs.push(Math.max(Number(high), minutes.highs.at(-1) ?? 0));
    minutes.lows.push(Math.min(Number(low), minutes.lows.at(-1) ?? Infinity));
  }
  return hours;
}

/** What had been seen when this many minutes, whole steps, were over; the price of minute 0 is the open. */
export function momentOf(hour: Hour, minute: number, subject: Asset | null): ReferenceMoment {
  const before = subject === null ? null : hour.before.at(-1)?.[subject];
  return {
    secondsLeft: 3600 - 60 * minute,
    assets: byAsset((asset) => soFar(hour.assets[asset], minute)),
    covariance: hour.covariance,
    signBefore: before ? signOf(returnOf(before)) : null,
  };
}

function soFar({ open, closes, highs, lows }: Minutes, minute: number): AssetSoFar {
  if (minute === 0) return { openUsd: open, priceUsd: open, highUsd: open, lowUsd: open };
  const [priceUsd, highUsd, lowUsd] = [closes, highs, lows].map((list) => found(list[(minute * list.length) / 60 - 1]));
  return { openUsd: open, priceUsd: found(priceUsd), highUsd: found(highUsd), lowUsd: found(lowUsd) };
}

export function returnOf({ open, closes }: Minutes): number {
  return found(closes.at(-1)) / open - 1;
}

export function signOf(value: number): -1 | 0 | 1 {
  if (value === 0) return 0;
  return value > 0 ? 1 : -1;
}

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('the recorded hours lack a value');
  return value;
}
