import { type Asset, ASSETS, byAsset, type ByAsset } from '../../rules/assets.ts';
import { HOUR, MINUTE, SECOND } from '../../rules/hours.ts';
import type { Market, PriceSoFar, Quote, Quotes } from '../market.ts';
import { medianDecimal, medianNumber } from './agreement.ts';
import { sourceQuotes, type SourceQuotes } from './source-quotes.ts';
import type { Source } from './source.ts';

export interface LiveQuotes {
  /** Asks every source once; resolves when the last has answered or failed. Never throws for a source that failed. */
  readonly refresh: () => Promise<void>;
  /** The newest median prices; null until every asset has had one. */
  latest(): Quotes | null;
  /** As the market's. */
  readonly soFar: ShownPrices['soFar'];
}

interface Times {
  readonly now: () => Date;
  readonly realNow: () => Date;
}

interface Timed<T> {
  readonly value: T;
  /** By the service's clock. */
  readonly at: Date;
  readonly realAt: number;
}

/** An older price is not shown as the present one. */
const FRESH_MS = 60 * SECOND;

/**
 * The prices that all readers share: per asset and field the median over the sources that responded within 60 real
 * seconds. An asset that no source quotes any more keeps its last price, and the quotes grow stale with it.
 */
export function liveQuotes(sources: readonly Source[], { now, realNow }: Times): LiveQuotes {
  const askers = sources.map((source) => ({ ask: sourceQuotes(source) }));
  const heard = new Map<number, Timed<SourceQuotes>>();
  const shown = new Map<Asset, Timed<Quote>>();
  const past = shownPrices();
  let latest: Quotes | null = null;
  const publish = (): void => {
    const fresh = [...heard.values()].filter(({ realAt }) => realNow().getTime() - realAt <= FRESH_MS);
    for (const asset of ASSETS) {
      const quoting = fresh.flatMap(({ value, ...times }) => {
        const quote = value.get(asset);
        return quote === undefined ? [] : [{ ...times, quote }];
      });
      const newest = quoting.toSorted((one, other) => one.realAt - other.realAt).at(-1);
      if (newest === undefined) continue;
      const value = medianQuote(quoting.map(({ quote }) => quote));
      shown.set(asset, { value, at: newest.at, realAt: newest.realAt });
    }
    latest = null;
  };
  return {
    async refresh() {
      await Promise.all(
        askers.map(async ({ ask }, place) => {
          const value = await ask(now());
          if (value.size > 0) heard.set(place, { value, at: now(), realAt: realNow().getTime() });
          publish();
        }),
      );
      past.note(now(), (asset) => {
        const quote = shown.get(asset);
        return quote === undefined ? null : { price: Number(quote.value.priceUsd), at: quote.at };
      });
    },
    soFar: past.soFar,
    latest() {
      const stale = isStale(shown, realNow());
      if (latest === null || latest.stale !== stale) latest = quotesOf(shown, stale);
      return latest;
    },
  };
}

/** Field by field the median of what the sources quote. Throws `RangeError` for none. */
function medianQuote(quotes: readonly Quote[]): Quote {
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

function isStale(shown: ReadonlyMap<Asset, Timed<Quote>>, real: Date): boolean {
  return [...shown.values()].some(({ realAt }) => real.getTime() - realAt > FRESH_MS);
}

/** As old as the oldest of the eight. */
function quotesOf(shown: ReadonlyMap<Asset, Timed<Quote>>, stale: boolean): Quotes | null {
  const timed = [...shown.values()];
  if (timed.length < ASSETS.length) return null;
  const oldest = timed.reduce((one, other) => (one.realAt <= other.realAt ? one : other));
  return {
    at: oldest.at,
    stale,
    assets: byAsset((asset) => {
      const quote = shown.get(asset);
      if (quote === undefined) throw new TypeError(`${asset} has no quote among eight`);
      return quote.value;
    }),
  };
}

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
interface ShownPrices {
  /** Keeps what a refresh that ended at `at` has shown. */
  readonly note: (at: Date, priceOf: (asset: Asset) => ShownPrice | null) => void;
  /** As the market's: high and low are those of the refreshes since the hour began that this process has seen. */
  readonly soFar: Market['pricesSoFar'];
}

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
