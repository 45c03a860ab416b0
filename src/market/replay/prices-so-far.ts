import { MINUTE } from '../../rules/hours.ts';
import type { PriceSoFar } from '../market.ts';
import type { CandleFile } from './candle-file.ts';
import { priceAt, type PriceHistory } from './price-history.ts';

/** Prices of 5-minute candles stay fresh until they are over; those of hourly candles only at the hour's beginning. */
const FRESH_MS = 5 * MINUTE;

/** Instants (ms since 1970) must ascend. The price is less than 5 minutes old; a running candle shows its open alone. */
export function pricesAlong(history: PriceHistory, hourStart: number): (time: number) => PriceSoFar | null {
  const files = history.map((file) => extremesAlong(file, hourStart));
  return (time) => {
    const newest = priceAt(history, time);
    if (newest === null || newest.at < hourStart || time - newest.at >= FRESH_MS) return null;
    const extremes = files.map((at) => at(time)).find((found) => found !== null);
    return extremes === undefined ? null : { price: Number(newest.price), ...extremes };
  };
}

function extremesAlong(file: CandleFile, hourStart: number) {
  let at = file.firstFrom(hourStart);
  let high = -Infinity;
  let low = Infinity;
  return (time: number): { readonly high: number; readonly low: number } | null => {
    for (; at < file.length && file.startAt(at) + file.stepMs <= time; at += 1) {
      const candle = file.row(at);
      high = Math.max(high, Number(candle.high));
      low = Math.min(low, Number(candle.low));
    }
    const isRunning = at < file.length && file.startAt(at) <= time;
    if (!isRunning) return high < low ? null : { high, low };
    const open = Number(file.row(at).open);
    return { high: Math.max(high, open), low: Math.min(low, open) };
  };
}

export function allOrNone<T>(values: readonly (T | null)[]): readonly T[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}
