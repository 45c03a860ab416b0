import { MINUTE } from '../../rules/hours.ts';
import type { PriceSoFar } from '../market.ts';
import type { CandleFile } from './candle-file.ts';
import { priceAt, type PriceHistory } from './price-history.ts';

/** A replay's prices move with its candles: those of 5 minutes count until they are over, an hour's only at its beginning. */
const FRESH_MS = 5 * MINUTE;

/**
 * What was known of an asset at instants of the hour that starts at `hourStart` (ms since 1970), which must be asked in
 * ascending order: the newest price, less than 5 minutes old, and the high and low of what the hour's candle is added up from. A candle
 * that is running shows its open alone. Null where there is no price.
 */
export function pricesAlong(history: PriceHistory, hourStart: number): (time: number) => PriceSoFar | null {
  const files = history.map((file) => extremesAlong(file, hourStart));
  return (time) => {
    const newest = priceAt(history, time);
    if (newest === null || newest.at < hourStart || time - newest.at >= FRESH_MS) return null;
    const extremes = files.map((at) => at(time)).find((found) => found !== null);
    return extremes === undefined ? null : { price: Number(newest.price), ...extremes };
  };
}

/** High and low of a file's candles since `hourStart`; null before the first of them has opened. */
function extremesAlong(file: CandleFile, hourStart: number) {
  let at = file.firstFrom(hourStart);
  let high = -Infinity;
  let low = Infinity;
  return (time: number): { readonly high: number; readonly low: number } | null => {
    for (; at < file.length && file.startAt(at) + file.step <= time; at += 1) {
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

/** All of them, or null when one is missing. */
export function allOrNone<T>(values: readonly (T | null)[]): readonly T[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}
