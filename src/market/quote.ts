import { largerDecimal, smallerDecimal } from './decimals.ts';
import type { Figures } from './figures.ts';
import type { Quote } from './market.ts';

interface PastFigures {
  readonly day: Figures | null;
  readonly hourAgo: string;
  readonly dayAgo: string;
}

export function quoteOf(price: string, { day, hourAgo, dayAgo }: PastFigures): Quote {
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
