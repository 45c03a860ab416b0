import { DAY, HOUR } from '../rules/hours.ts';
import { addUp } from './candle-sum.ts';
import { largerDecimal, smallerDecimal } from './decimal-text.ts';
import { STEP_MS, type ShownCandle } from './exchanges/exchange.ts';
import { figuresFault } from './figures.ts';
import type { Quote } from './market.ts';
import { medianDecimal, medianNumber } from './median.ts';

/** Candles of this step tell what the price was an hour and a day ago. */
export const PAST_STEP = '5m';

/**
 * The quote of one asset at one source: its last price, and beside it the 5-minute candles of the last day. Changes are
 * against the open of the candle that holds the instant 1 h or 24 h ago, so up to 5 minutes earlier. Null without candles.
 */
export function quoteOf(price: string, shown: readonly ShownCandle[], now: Date): Quote | null {
  const time = now.getTime();
  const past = shown.filter((candle) => candle.start <= time && figuresFault(candle) === null);
  const candles = past.toSorted((one, other) => one.start - other.start);
  const [earliest] = candles;
  if (earliest === undefined) return null;
  const day = addUp(candles.filter(({ start }) => start >= time - DAY && start + STEP_MS[PAST_STEP] <= time));
  const changePct = (then: number): number =>
    (Number(price) / Number(priceAt(candles, then) ?? earliest.open) - 1) * 100;
  return {
    priceUsd: price,
    change1hPct: changePct(time - HOUR),
    change24hPct: changePct(time - DAY),
    high24h: largerDecimal(day?.high ?? price, price),
    low24h: smallerDecimal(day?.low ?? price, price),
    volume24h: day?.volume ?? '0',
  };
}

/** Field by field the median of what the sources quote. Throws `RangeError` for none. */
export function medianQuote(quotes: readonly Quote[]): Quote {
  const decimal = (name: 'priceUsd' | 'high24h' | 'low24h' | 'volume24h'): string =>
    medianDecimal(quotes.map((quote) => quote[name]));
  return {
    priceUsd: decimal('priceUsd'),
    change1hPct: medianNumber(quotes.map((quote) => quote.change1hPct)),
    change24hPct: medianNumber(quotes.map((quote) => quote.change24hPct)),
    high24h: decimal('high24h'),
    low24h: decimal('low24h'),
    volume24h: decimal('volume24h'),
  };
}

/** The open of the candle that was running at `time`, or the close of the last one before it; null before the first. */
function priceAt(candles: readonly ShownCandle[], time: number): string | null {
  const latest = candles.findLast((candle) => candle.start <= time);
  if (latest === undefined) return null;
  return time < latest.start + STEP_MS[PAST_STEP] ? latest.open : latest.close;
}
