import { madeOnce, rerunAfter } from '../../in-flight.ts';
import { byAsset } from '../../rules/assets.ts';
import { SECOND } from '../../rules/hours.ts';
import type { ExchangeApi, SourceName } from './exchanges/exchange.ts';
import { liveDecisions } from './live-decisions.ts';
import { liveHistory } from './live-history.ts';
import { liveQuotes } from './live-quotes.ts';
import type { Market } from '../market.ts';
import { openSource, type Source, type SourceSettings, TIMEOUT_MS } from './source.ts';
import { binance } from './exchanges/binance.ts';
import { coinbase } from './exchanges/coinbase.ts';
import { kraken } from './exchanges/kraken.ts';

export interface LiveSettings extends Omit<SourceSettings, 'url' | 'stopping'> {
  readonly sources: readonly SourceName[];
  /** Base addresses that replace the exchanges' own; a trailing slash is ignored. */
  readonly urls?: Readonly<Partial<Record<SourceName, string | undefined>>>;
}

/** Candles are available at once, quotes after `start`. */
export interface LiveMarket extends Market {
  /** Refreshes quotes every 15 real seconds until `stop`; resolves after the first refresh, even if that failed. */
  start(): Promise<void>;
  stop(): Promise<void>;
  refresh(): Promise<void>;
}

const REFRESH_MS = 15 * SECOND;

export function minAgreeing(sources: number): number {
  return Math.min(2, sources);
}

export function liveMarket(settings: LiveSettings): LiveMarket {
  if (settings.sources.length === 0) throw new RangeError('A live market must have at least one source (got none)');
  const stopping = new AbortController();
  const sources = settings.sources.map((name) => sourceNamed(name, settings, stopping.signal));
  const min = minAgreeing(sources.length);
  const history = liveHistory(sources, min);
  const { timeoutMs = TIMEOUT_MS } = settings;
  const decide = liveDecisions(sources, { min, timeoutMs, stopping: stopping.signal });
  const quotes = liveQuotes(sources, settings);
  const refreshing = refresher(quotes.refresh, { ...settings, everyMs: REFRESH_MS });
  return {
    source: settings.sources.join('+'),
    warning: null,
    isLive: true,
    providerIds: byAsset((asset) => sources.map(({ exchange }) => exchange.symbols[asset]).join('+')),
    hourCandles: (asset, from, to, now) => history(asset, { from, to }, now),
    pricesSoFar: quotes.soFar,
    decide,
    status: () => sources.map((source) => source.status()),
    quotes: () => quotes.latest(),
    refresh: quotes.refresh,
    start: refreshing.start,
    async stop() {
      stopping.abort();
      await refreshing.stop();
    },
  };
}

function sourceNamed(name: SourceName, settings: LiveSettings, stopping: AbortSignal): Source {
  const exchange = EXCHANGES[name];
  const url = (settings.urls?.[name] ?? exchange.url).replace(/\/+$/, '');
  return openSource(exchange, { ...settings, url, stopping });
}

interface RefreshOptions {
  readonly everyMs: number;
  readonly report: (error: unknown) => void;
}

export function refresher(task: () => Promise<void>, { everyMs, report }: RefreshOptions) {
  const refresh = rerunAfter(() => task().catch(report));
  let timer: NodeJS.Timeout | undefined;
  return {
    start: madeOnce(async (): Promise<void> => {
      timer = setInterval(() => void refresh(), everyMs).unref();
      await refresh();
    }),
    async stop(): Promise<void> {
      clearInterval(timer);
      await refresh.settled();
    },
  };
}

export const EXCHANGES: Readonly<Record<SourceName, ExchangeApi>> = { coinbase, kraken, binance };
