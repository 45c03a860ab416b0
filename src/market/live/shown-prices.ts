import { type Asset, ASSETS, type ByAsset } from '../../rules/assets.ts';
import { HOUR, MINUTE, SECOND } from '../../rules/hours.ts';
import type { Market, PriceSoFar } from '../market.ts';

/** An asset's price and when sources showed it, by the service's clock. */
export interface ShownPrice {
  readonly price: number;
  readonly at: Date;
}

/** Prices as they were at the end of one refresh; an asset without any is absent. */
interface Refresh {
  readonly at: number;
  readonly prices: Readonly<Partial<ByAsset<ShownPrice>>>;
}

/** What refreshes showed, for as long as a round needs them. */
export interface ShownPrices {
  /** Keeps what a refresh that ended at `at` has shown. */
  readonly note: (at: Date, priceOf: (asset: Asset) => ShownPrice | null) => void;
  /** As the market's: high and low are those of the refreshes since the hour began that this process has seen. */
  readonly soFar: Market['pricesSoFar'];
}

const FRESH_MS = 60 * SECOND;
/** An hour's prices are still there while it is being decided. */
const KEPT_MS = HOUR + 10 * MINUTE;

export function shownPrices(): ShownPrices {
  let refreshes: Refresh[] = [];
  return {
    note(at, priceOf) {
      const shown = ASSETS.flatMap((asset) => {
        const price = priceOf(asset);
        return price === null ? [] : [[asset, price]];
      });
      const time = at.getTime();
      refreshes = refreshes.filter((one) => one.at < time && one.at >= time - KEPT_MS);
      refreshes.push({ at: time, prices: Object.fromEntries(shown) });
    },
    soFar(assets, { hourStart, times }, now) {
      return times.map((time) => {
        if (time > now) return null;
        const before = refreshes.filter(({ at }) => at <= time.getTime());
        const since = before.filter(({ at }) => at >= hourStart.getTime());
        const found = assets.flatMap((asset) => {
          const newest = before.at(-1)?.prices[asset];
          return isFresh(newest, time) ? [withExtremes(newest.price, pricesOf(since, asset))] : [];
        });
        return found.length === assets.length ? found : null;
      });
    },
  };
}

function isFresh(shown: ShownPrice | undefined, time: Date): shown is ShownPrice {
  return shown !== undefined && time.getTime() - shown.at.getTime() <= FRESH_MS;
}

function pricesOf(refreshes: readonly Refresh[], asset: Asset): readonly number[] {
  return refreshes.flatMap(({ prices }) => prices[asset]?.price ?? []);
}

/** The price at the point itself counts: at the hour's start it is the open. */
function withExtremes(price: number, since: readonly number[]): PriceSoFar {
  return { price, high: Math.max(price, ...since), low: Math.min(price, ...since) };
}
