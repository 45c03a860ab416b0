import { basename, resolve } from 'node:path';

import { allKnown, ASSETS, byAsset, type ByAsset } from '../../rules/assets.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../rules/hours.ts';
import { singleSource } from '../single-source.ts';
import type { Market, Quote, Quotes } from '../market.ts';
import { earliestPrice, finishedCandles, priceAt, type PriceHistory } from './price-history.ts';
import { openReplayFolder } from './replay-folder.ts';
import { addUp } from '../figures.ts';
import { quoteOf } from '../quote.ts';

/** Throws an error for the operator, with the accepted form, for a folder with a missing file or a bad row. */
export async function openReplay(folder: string): Promise<Market> {
  const { histories, hourAt, pricesAlong } = await openReplayFolder(folder);
  const quotes = replayQuotes(histories);
  const name = basename(resolve(folder));
  return singleSource({
    source: `replay:${name}`,
    warning: `Prices are replayed from recorded candles (${name}); they are not the prices of today.`,
    hourAt,
    pricesAlong,
    quotes,
  });
}

const STALE_AFTER = 60 * SECOND;

/** Prices change at whole minutes only, so the last minute's are cached. */
function replayQuotes(histories: ByAsset<PriceHistory>): (now: Date) => Quotes | null {
  let kept: { minute: number; shown: ReturnType<typeof shownAt>; quotes: Quotes | null } | null = null;
  return (now) => {
    const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
    if (kept?.minute !== minute) kept = { minute, shown: shownAt(histories, minute), quotes: null };
    const { shown } = kept;
    if (shown === null) return null;
    const stale = !shown.running && now.getTime() - shown.at > STALE_AFTER;
    if (kept.quotes?.stale !== stale) kept.quotes = { at: new Date(shown.at), stale, assets: shown.assets };
    return kept.quotes;
  };
}

function shownAt(histories: ByAsset<PriceHistory>, minute: number) {
  const points = byAsset((asset) => priceAt(histories[asset], minute));
  if (!allKnown(points)) return null;
  return {
    at: Math.min(...ASSETS.map((asset) => points[asset].at)),
    running: ASSETS.every((asset) => points[asset].running),
    assets: byAsset((asset) => quote(histories[asset], points[asset].price, minute)),
  };
}

function quote(history: PriceHistory, price: string, minute: number): Quote {
  const before = (then: number): string => priceAt(history, then)?.price ?? earliestPrice(history) ?? price;
  const day = addUp(finishedCandles(history, minute - DAY, minute));
  return quoteOf(price, { day, hourAgo: before(minute - HOUR), dayAgo: before(minute - DAY) });
}
