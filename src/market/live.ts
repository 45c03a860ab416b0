import { byAsset } from '../rules/assets.ts';
import { SECOND } from '../rules/hours.ts';
import { EXCHANGES } from './exchanges/all.ts';
import type { SourceName } from './exchanges/exchange.ts';
import { askHours } from './hour-answers.ts';
import { liveHistory } from './live-history.ts';
import { liveQuotes } from './live-quotes.ts';
import { type Market, MarketUnavailable } from './market.ts';
import { refresher } from './refresher.ts';
import { openSource, type Source, type SourceSettings } from './source.ts';
import { verdictOf } from './verdict.ts';

export interface LiveSettings extends Omit<SourceSettings, 'url' | 'stopping'> {
  /** The exchanges to ask, each once. */
  readonly sources: readonly SourceName[];
  /** Base addresses that replace the exchanges' own; a slash at the end is ignored. */
  readonly urls?: Readonly<Partial<Record<SourceName, string | undefined>>>;
  readonly report: (error: unknown) => void;
}

/** Prices of real exchanges. It is asked for candles from the first moment, and has quotes once it was started. */
export interface LiveMarket extends Market {
  /** Asks for prices once, then every 15 real seconds until stopped; answers after the first time, whatever came. */
  start(): Promise<void>;
  /** Ends the requests under way. */
  stop(): Promise<void>;
  /** Asks for prices now. */
  refresh(): Promise<void>;
}

const REFRESH_MS = 15 * SECOND;

/** How many of so many sources must agree: two, or the only one there is. */
export function leastAgreeing(sources: number): number {
  return Math.min(2, sources);
}

/** The market whose candles are what several exchanges agree on. Throws `RangeError` without any source. */
export function liveMarket(settings: LiveSettings): LiveMarket {
  if (settings.sources.length === 0) throw new RangeError('a live market needs at least one source');
  const stopping = new AbortController();
  const sources = settings.sources.map((name) => sourceNamed(name, settings, stopping.signal));
  const least = leastAgreeing(sources.length);
  const history = liveHistory(sources, least);
  const quotes = liveQuotes(sources, settings);
  const refreshing = refresher(quotes.refresh, { ...settings, everyMs: REFRESH_MS });
  return {
    source: settings.sources.join('+'),
    warning: null,
    providerIds: byAsset((asset) => sources.map(({ exchange }) => exchange.symbols[asset]).join('+')),
    hourCandles: (asset, from, to, now) => history(asset, { from, to }, now),
    async decide(assets, hours, now) {
      if (hours.length === 0) return { candles: [], evidence: [], problem: null };
      const first = new Date(Math.min(...hours.map((hour) => hour.getTime())));
      const asked = assets.flatMap((asset) => sources.map((source) => askHours(source, asset, { first, now })));
      const answers = await Promise.all(asked);
      // What was broken off tells nothing about the sources.
      if (stopping.signal.aborted) throw new MarketUnavailable('The service stops.');
      return verdictOf(answers, { hours, now, least });
    },
    status: () => sources.map((source) => source.status()),
    quotes: async () => quotes.latest(),
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
