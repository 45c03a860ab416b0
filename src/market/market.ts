import type { Asset, ByAsset } from '../rules/assets.ts';
import type { Figures } from './figures.ts';

export interface HourCandle extends Figures {
  readonly hourStart: Date;
}

/** Changes in percent, prices in USD. */
export interface Quote {
  readonly priceUsd: string;
  readonly change1hPct: number;
  readonly change24hPct: number;
  readonly high24h: string;
  readonly low24h: string;
  readonly volume24h: string;
}

export interface Quotes {
  readonly at: Date;
  /** Older than 60 s by the service's clock, or by real time for live prices. */
  readonly stale: boolean;
  readonly assets: ByAsset<Quote>;
}

export interface PriceSoFar {
  readonly price: number;
  /** Since the hour began, as far as the market has shown them; the price may lie outside. */
  readonly high: number;
  readonly low: number;
}

/** The evidence of a decision: one source's figures of one asset's hour as it wrote them, whether they count or not. */
export interface SourceCandle extends Readonly<Record<keyof Figures, string | null>> {
  readonly source: string;
  readonly asset: Asset;
  readonly hourStart: Date;
  /** SHA-256 in hex of the whole body; null without one. */
  readonly bodyHash: string | null;
  readonly sourceTime: Date | null;
  readonly fetchedAt: Date;
  /** True if the agreed candle is the median of this and others. */
  readonly counted: boolean;
  readonly leftOut: string | null;
}

/** Fewer final candles than needed, or final ones that do not agree. */
export type HourProblem = 'no_prices' | 'sources_disagree';

export interface HourVerdict {
  readonly candles: readonly (HourCandle & { readonly asset: Asset })[];
  readonly evidence: readonly SourceCandle[];
  readonly problem: HourProblem | null;
  /** Sources, not known to be down, without a final candle for every asset and hour. The caller decides whether to wait. */
  readonly late: readonly string[];
  /** Sources with a readable answer for every asset, even without the hour's candle. */
  readonly answered: number;
  readonly needed: number;
}

/** `new`: no request yet. `open`: requests are paused, after many failures or because the source demanded it. */
export type SourceState = 'new' | 'up' | 'down' | 'open';

/** For operators. Times are the service's; the error is our sentence, never a source's text. */
export interface SourceStatus {
  readonly source: string;
  readonly state: SourceState;
  readonly lastSuccessAt: Date | null;
  readonly lastErrorAt: Date | null;
  readonly lastError: string | null;
  readonly lateTries: number;
}

/** The rest of a source's status before its first request. */
export const NO_REQUESTS = { lastSuccessAt: null, lastErrorAt: null, lastError: null, lateTries: 0 } as const;

/** No driver reads past `now`, so a fast clock cannot read the future. */
export interface Market {
  /** As in rounds and answers: `simulated`, `replay:<folder name>`, `coinbase+kraken+binance`. */
  readonly source: string;
  readonly warning: string | null;
  /** Live prices that were not recorded are lost; other markets have prices for any past instant. */
  readonly isLive: boolean;
  readonly providerIds: ByAsset<string>;
  /** Ascending. Hours that are not over at `now` or have no price (a halt) are absent. Throws `MarketUnavailable`. */
  hourCandles(asset: Asset, from: Date, to: Date, now: Date): Promise<readonly HourCandle[]>;
  /** As known at each of the ascending instants; null without a fresh price of each asset, and after `now`. */
  readonly pricesSoFar: (
    assets: readonly Asset[],
    instants: { readonly hourStart: Date; readonly times: readonly Date[] },
    now: Date,
  ) => readonly (readonly PriceSoFar[] | null)[];
  /** Waits at most one timeout. A failing source is evidence, not an error; `MarketUnavailable` means that the market is stopping. */
  decide(assets: readonly Asset[], hours: readonly Date[], now: Date): Promise<HourVerdict>;
  status(): readonly SourceStatus[];
  /** Null while there are none. Equal prices are the same object. */
  quotes(now: Date): Quotes | null;
}

export class MarketUnavailable extends Error {
  override readonly name = 'MarketUnavailable';
}
