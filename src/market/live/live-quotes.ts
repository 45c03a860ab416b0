import { allKnown, type Asset, ASSETS, byAsset, type ByAsset } from '../../rules/assets.ts';
import { HOUR, MINUTE, SECOND } from '../../rules/hours.ts';
import type { Market, PriceSoFar, Quote, Quotes } from '../market.ts';
import { allOrNone } from '../replay/prices-so-far.ts';
import { medianDecimal, medianNumber } from './agreement.ts';
import { type SourceQuote, sourceQuotes, type SourceQuotes } from './source-quotes.ts';
import type { Source, SourceSettings } from './source.ts';

interface TimedValue<T> {
  readonly value: T;
  readonly at: Date;
  readonly realAt: number;
}

const FRESH_MS = 60 * SECOND;

/** Medians over the sources that answered within 60 real seconds. An asset without quotes keeps its last price, and all become stale. */
export function liveQuotes(sources: readonly Source[], { now, realNow }: Pick<SourceSettings, 'now' | 'realNow'>) {
  const askers = sources.map((source) => sourceQuotes(source));
  const received = new Map<number, TimedValue<SourceQuotes>>();
  const shown = new Map<Asset, TimedValue<Quote>>();
  const past = shownPrices();
  let latest: Quotes | null = null;
  const publish = (): void => {
    const fresh = [...received.values()].filter(({ realAt }) => realNow().getTime() - realAt <= FRESH_MS);
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
    /** Resolves when every source has answered or failed. */
    refresh: async (): Promise<void> => {
      await Promise.all(
        askers.map(async (ask, index) => {
          const value = await ask(now());
          if (value.size > 0) received.set(index, { value, at: now(), realAt: realNow().getTime() });
          publish();
        }),
      );
      past.note(now(), (asset) => {
        const quote = shown.get(asset);
        return quote === undefined ? null : { price: Number(quote.value.priceUsd), at: quote.at };
      });
    },
    soFar: past.soFar,
    /** Null until every asset has had a price. */
    latest(): Quotes | null {
      const stale = [...shown.values()].some(({ realAt }) => realNow().getTime() - realAt > FRESH_MS);
      if (latest === null || latest.stale !== stale) latest = quotesOf(shown, stale);
      return latest;
    },
  };
}

const PAST_LAG_MS = 15 * MINUTE;

/** Past figures are those of the sources with the newest candles. */
function medianQuote(quotes: readonly SourceQuote[]): Quote {
  const newest = Math.max(...quotes.map(({ pastUntil }) => pastUntil));
  const recent = quotes.filter(({ pastUntil }) => newest - pastUntil <= PAST_LAG_MS);
  const decimal = (name: 'high24h' | 'low24h' | 'volume24h'): string => medianDecimal(recent.map((one) => one[name]));
  return {
    priceUsd: medianDecimal(quotes.map(({ priceUsd }) => priceUsd)),
    change1hPct: medianNumber(recent.map(({ change1hPct }) => change1hPct)),
    change24hPct: medianNumber(recent.map(({ change24hPct }) => change24hPct)),
    high24h: decimal('high24h'),
    low24h: decimal('low24h'),
    volume24h: decimal('volume24h'),
  };
}

function quotesOf(shown: ReadonlyMap<Asset, TimedValue<Quote>>, stale: boolean): Quotes | null {
  const timed = byAsset((asset) => shown.get(asset) ?? null);
  if (!allKnown(timed)) return null;
  const oldest = Object.values(timed).reduce((one, other) => (one.realAt <= other.realAt ? one : other));
  return { at: oldest.at, stale, assets: byAsset((asset) => timed[asset].value) };
}

export interface ShownPrice {
  readonly price: number;
  readonly at: Date;
}

interface Refresh {
  readonly at: number;
  readonly prices: Readonly<Partial<ByAsset<ShownPrice>>>;
}

const KEPT_MS = HOUR + 10 * MINUTE;

export function shownPrices() {
  let refreshes: Refresh[] = [];
  return {
    note(at: Date, priceOf: (asset: Asset) => ShownPrice | null): void {
      const shown = ASSETS.flatMap((asset) => {
        const price = priceOf(asset);
        return price === null ? [] : [[asset, price]];
      });
      const time = at.getTime();
      refreshes = refreshes.filter((one) => one.at < time && one.at >= time - KEPT_MS);
      refreshes.push({ at: time, prices: Object.fromEntries(shown) });
    },
    /** High and low are those of this process's refreshes since the hour began. */
    soFar: (...[assets, { hourStart, times }, now]: Parameters<Market['pricesSoFar']>) => {
      return times.map((time) => {
        if (time > now) return null;
        const before = refreshes.filter(({ at }) => at <= time.getTime());
        const since = before.filter(({ at }) => at >= hourStart.getTime());
        const found = assets.map((asset): PriceSoFar | null => {
          const newest = before.at(-1)?.prices[asset];
          if (newest === undefined || time.getTime() - newest.at.getTime() > FRESH_MS) return null;
          // The current price counts too: at the hour's start it is the open.
          const prices = [newest.price, ...since.flatMap((one) => one.prices[asset]?.price ?? [])];
          return { price: newest.price, high: Math.max(...prices), low: Math.min(...prices) };
        });
        return allOrNone(found);
      });
    },
  };
}
