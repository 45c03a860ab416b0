import { ASSETS, byAsset, type ByAsset } from '../rules/assets.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../rules/hours.ts';
import { addUp } from './candle-sum.ts';
import { largerDecimal, smallerDecimal } from './decimal-text.ts';
import type { Quote, Quotes } from './market.ts';
import { earliestPrice, finishedCandles, priceAt, type PriceHistory } from './price-history.ts';

const STALE_AFTER = 60 * SECOND;

/** A function that answers the prices at a time; they change at whole minutes alone, so the last minute's are kept. */
export function replayQuotes(histories: ByAsset<PriceHistory>): (now: Date) => Quotes | null {
  let kept: { minute: number; shown: Shown | null } | null = null;
  return (now) => {
    const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
    if (kept?.minute !== minute) kept = { minute, shown: shownAt(histories, minute) };
    const { shown } = kept;
    if (shown === null) return null;
    const age = now.getTime() - shown.at;
    return { at: new Date(shown.at), stale: !shown.running && age > STALE_AFTER, assets: shown.assets };
  };
}

/** What the market showed, as old as its oldest price. */
interface Shown {
  readonly at: number;
  readonly running: boolean;
  readonly assets: ByAsset<Quote>;
}

function shownAt(histories: ByAsset<PriceHistory>, minute: number): Shown | null {
  const points = byAsset((asset) => priceAt(histories[asset], minute));
  if (!allKnown(points)) return null;
  return {
    at: Math.min(...ASSETS.map((asset) => points[asset].at)),
    running: ASSETS.every((asset) => points[asset].running),
    assets: byAsset((asset) => quote(histories[asset], points[asset].price, minute)),
  };
}

function allKnown<T>(values: ByAsset<T | null>): values is ByAsset<T> {
  return ASSETS.every((asset) => values[asset] !== null);
}

function quote(history: PriceHistory, price: string, minute: number): Quote {
  const day = addUp(finishedCandles(history, minute - DAY, minute));
  return {
    priceUsd: price,
    change1hPct: changePct(history, price, minute - HOUR),
    change24hPct: changePct(history, price, minute - DAY),
    high24h: largerDecimal(day?.high ?? price, price),
    low24h: smallerDecimal(day?.low ?? price, price),
    volume24h: day?.volume ?? '0',
  };
}

function changePct(history: PriceHistory, price: string, then: number): number {
  const before = Number(priceAt(history, then)?.price ?? earliestPrice(history));
  return (Number(price) / before - 1) * 100;
}
