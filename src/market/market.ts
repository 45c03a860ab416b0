import type { Asset, ByAsset } from '../rules/assets.ts';
import type { Candle } from '../rules/candle.ts';

/** A finished hour of one asset. `volume` is in units of the asset; all figures are exact decimals. */
export interface HourCandle extends Candle {
  readonly hourStart: Date;
  readonly volume: string;
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
  /** True when they are older than 60 s, by the service's clock. */
  readonly stale: boolean;
  readonly assets: ByAsset<Quote>;
}

/** Where prices come from. A driver never looks past `now`, so a fast clock cannot read the future. */
export interface Market {
  /** The name that rounds and answers carry: `simulated`, `replay:<folder name>`. */
  readonly source: string;
  /** A sentence for operators and readers when the prices are not real ones, else null. */
  readonly warning: string | null;
  /** What each asset is called at the source, such as `BTC-USD`. */
  readonly providerIds: ByAsset<string>;
  /**
   * The usable hour candles that start in `[from, to)`, ascending. An hour that is not over at `now`, or that has
   * no price at the source (a halt), is absent. Throws `MarketUnavailable` when the source cannot be asked.
   */
  hourCandles(asset: Asset, from: Date, to: Date, now: Date): Promise<readonly HourCandle[]>;
  /** The prices at `now`, or null while there are none yet. */
  quotes(now: Date): Promise<Quotes | null>;
}

/** The source cannot be asked at present; trying later makes sense. */
export class MarketUnavailable extends Error {
  override readonly name = 'MarketUnavailable';
}
