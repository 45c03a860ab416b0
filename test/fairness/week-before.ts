import type { Candles } from '../oracle/candle-files.ts';
import { SYMBOLS } from '../oracle/candle-files.ts';
import { found } from '../oracle/json.ts';
import type { RoundFacts } from '../oracle/round-facts.ts';

const WEEK = 168;

/** Of the subject's return in the hour before, which `momentum` alone asks about. */
export function signBefore(facts: RoundFacts, candles: Candles): number | null {
  if (facts.type !== 'momentum') return null;
  const { open, close } = found(candles(facts.subject ?? '', facts.hour - 1), 'the hour before');
  return Number(close > open) - Number(close < open);
}

/** The covariance of log returns from close to close over the 168 hours before, of hours in which all assets have one. */
export function weekCovariance(candles: Candles, hour: number): readonly (readonly number[])[] {
  const hours = Array.from({ length: WEEK }, (_, back) =>
    SYMBOLS.flatMap((name) => {
      const [one, before] = [candles(name, hour - 1 - back), candles(name, hour - 2 - back)];
      const start = back === WEEK - 1 ? one?.open : before?.close;
      return one === undefined || start === undefined ? [] : [Math.log(Number(one.close) / Number(start))];
    }),
  ).filter((returns) => returns.length === SYMBOLS.length);
  return SYMBOLS.map((_, row) =>
    SYMBOLS.map((__, column) => {
      const products = hours.map((returns) => found(returns[row], 'a return') * found(returns[column], 'a return'));
      return products.reduce((sum, product) => sum + product, 0) / products.length;
    }),
  );
}
