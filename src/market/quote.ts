import { largerDecimal, smallerDecimal } from './decimals.ts';
import type { Figures } from './figures.ts';
import type { Quote } from './market.ts';

/** What a price was compared with: the candles of the 24 hours before it, and the prices an hour and a day ago. */
interface Before {
  readonly day: Figures | null;
  readonly hourAgo: string;
  readonly dayAgo: string;
}

/** The quote of a price, which may be beyond all that was before it. */
export function quoteOf(price: string, { day, hourAgo, dayAgo }: Before): Quote {
  const changePct = (before: string): number => (Number(price) / Number(before) - 1) * 100;
  return {
    priceUsd: price,
    change1hPct: changePct(hourAgo),
    change24hPct: changePct(dayAgo),
    high24h: largerDecimal(day?.high ?? price, price),
    low24h: smallerDecimal(day?.low ?? price, price),
    volume24h: day?.volume ?? '0',
  };
}
