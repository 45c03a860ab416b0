import type { Asset, ByAsset } from '../rules/assets.ts';
import type { Figures } from './figures.ts';

/** A finished hour of one asset. */
export interface HourCandle extends Figures {
  readonly hourStart: Date;
}

/** The present price of one asset; changes in percent, prices in USD. */
export interface Quote {
  readonly priceUsd: string;
  readonly change1hPct: number;
  readonly change24hPct: number;
  readonly high24h: string;
  readonly low24h: string;
  readonly volume24h: string;
}

export interface Quotes {
  /** When the market showed these prices. */
  readonly at: Date;
  /** True when they are older than 60 s: by the service's clock, or by real time where they are fetched in real time. */
  readonly stale: boolean;
  readonly assets: ByAsset<Quote>;
}

/** What is known of one asset at an instant of an hour, in USD. */
export interface PriceSoFar {
  readonly price: number;
  /** The highest and lowest since the hour began, as far as the market has shown them; the price may lie outside. */
  readonly high: number;
  readonly low: number;
}

export interface HourInstants {
  readonly hourStart: Date;
  readonly times: readonly Date[];
}

/** What one source showed of one asset's hour, whether it counts or not: the evidence of a decision. */
export interface SourceCandle {
  readonly source: string;
  readonly asset: Asset;
  readonly hourStart: Date;
  /** The source's own figures, as it wrote them; null where it had no readable one. */
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  readonly volume: string | null;
  /** SHA-256 in hex of the body it came from; null when no whole body came, or nothing is fetched at all. */
  readonly bodyHash: string | null;
  /** The time that the source itself wrote on its answer. */
  readonly sourceTime: Date | null;
  /** When it was fetched, by the service's clock. */
  readonly fetchedAt: Date;
  /** Whether it is one of those that the agreed candle is the median of. */
  readonly counted: boolean;
  /** One sentence that says why it does not count; null when it does. */
  readonly leftOut: string | null;
}

/** Why a candle that was asked for is not decided: no (second) final one, or final ones that do not agree. */
export type HourProblem = 'no_prices' | 'sources_disagree';

/** What the sources agree on, and all that they showed. */
export interface HourVerdict {
  /** The decided candles; all that were asked for when there is no problem. */
  readonly candles: readonly (HourCandle & { readonly asset: Asset })[];
  /** One element for each source, asset and hour. */
  readonly evidence: readonly SourceCandle[];
  readonly problem: HourProblem | null;
  /**
   * The configured sources that are not known to be down and did not show a final candle for every asset and hour that was
   * asked, in their order: a later try may agree on other figures. Empty where a market is its own only source. Candles are
   * decided all the same; whether to wait for who is late is the caller's to say.
   */
  readonly late: readonly string[];
  /**
   * How many sources gave a readable answer about the hours for every asset that was asked, whatever it showed: one
   * without the hour's candle counts; a failure, silence or an unreadable body does not.
   */
  readonly answered: number;
  /** How many sources must agree. */
  readonly needed: number;
}

/** `new`: not asked yet. `open`: requests are paused, after many failures or because it asked for it. */
export type SourceState = 'new' | 'up' | 'down' | 'open';

/** How one source does, for operators. Times are the service's; the error is a sentence made here, never a source's text. */
export interface SourceStatus {
  readonly source: string;
  readonly state: SourceState;
  readonly lastSuccessAt: Date | null;
  readonly lastErrorAt: Date | null;
  readonly lastError: string | null;
  /** How many tries to decide an hour, since the start, found it late (see `HourVerdict.late`). */
  readonly lateTries: number;
}

/** Where prices come from. A driver never looks past `now`, so a fast clock cannot read the future. */
export interface Market {
  /** The name that rounds and answers carry: `simulated`, `replay:<folder name>`, `coinbase+kraken+binance`. */
  readonly source: string;
  /** A sentence for operators and readers when the prices are not real ones, else null. */
  readonly warning: string | null;
  /** True where prices pass by: what was not written down when it was shown is lost. Otherwise any past instant can be asked. */
  readonly isLive: boolean;
  /** What each asset is called at the source, such as `BTC-USD`; with several, joined by `+` in their order. */
  readonly providerIds: ByAsset<string>;
  /**
   * The usable hour candles that start in `[from, to)`, ascending. An hour that is not over at `now`, or that has
   * no price at the source (a halt), is absent. Throws `MarketUnavailable` when the source cannot be asked.
   */
  hourCandles(asset: Asset, from: Date, to: Date, now: Date): Promise<readonly HourCandle[]>;
  /**
   * The prices of these assets at each of these instants, which ascend, as they were known at the instant itself: nothing
   * is used that was shown after it. Null where one of the assets has no price there that is fresh enough, and at instants
   * after `now`.
   */
  readonly pricesSoFar: (
    assets: readonly Asset[],
    instants: HourInstants,
    now: Date,
  ) => readonly (readonly PriceSoFar[] | null)[];
  /**
   * Decides the candles of these assets in these hours, all that is final and agreed at `now`. A source that cannot be
   * asked is part of the evidence, not an error; `MarketUnavailable` is thrown only when the market is being stopped.
   * Sources that are fetched are waited for as long as one answer may take (5 s, 7 s for older hours than the last one), and
   * what one has shown for good is kept for the next try. Any number of rounds may be decided side by side.
   */
  decide(assets: readonly Asset[], hours: readonly Date[], now: Date): Promise<HourVerdict>;
  /** How each source does at present, in their order. */
  status(): readonly SourceStatus[];
  /** The prices at `now`, or null while there are none yet. As long as they are the same it is the same object. */
  quotes(now: Date): Promise<Quotes | null>;
}

/** The source cannot be asked at present; trying later makes sense. */
export class MarketUnavailable extends Error {
  override readonly name = 'MarketUnavailable';
}
