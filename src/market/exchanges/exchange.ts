import type { Asset, ByAsset } from '../../rules/assets.ts';
import { HOUR, MINUTE } from '../../rules/hours.ts';

/** The exchanges that can be asked, in the order in which they are unless a setting says otherwise. */
export const SOURCE_NAMES = ['coinbase', 'kraken', 'binance'] as const;

export type SourceName = (typeof SOURCE_NAMES)[number];

/** The steps of candles that are asked for. */
export const STEP_MS = { '5m': 5 * MINUTE, '1h': HOUR } as const;

export type Step = keyof typeof STEP_MS;

/** More candles than these are not asked for at once: Coinbase refuses more than 300. */
export const MOST_CANDLES = 290;

/** Candles of one asset that open from `from` to before `to`, at most `MOST_CANDLES` of them. */
export interface CandleRequest {
  readonly asset: Asset;
  readonly step: Step;
  readonly from: Date;
  readonly to: Date;
}

/** A candle as the exchange wrote it: nothing is checked yet. */
export interface ShownCandle {
  /** Its opening, ms since 1970; NaN when what stands there is no time of a candle of the step. */
  readonly start: number;
  /** Figures as text, with every digit; empty where there is none. */
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

export interface ShownCandles {
  readonly candles: readonly ShownCandle[];
  /** The exchange itself says that candles opening later than this (ms since 1970) are not final; Infinity: it says nothing. */
  readonly finalTo: number;
}

/** A request for the last prices of some assets. */
export interface PriceRequest {
  readonly path: string;
  /** The last price of each asset, unchecked. Throws `SourceFailure` when the body is something else. */
  readonly read: (body: unknown) => Readonly<Partial<Record<Asset, string>>>;
}

/** What one exchange's public API looks like: addresses and forms alone, nothing is fetched here. Bodies have numbers as text. */
export interface Exchange {
  readonly name: SourceName;
  readonly url: string;
  readonly symbols: ByAsset<string>;
  candlesPath(request: CandleRequest): string;
  /** Throws `SourceFailure` when the body is something else, such as an error inside HTTP 200. */
  candlesOf(body: unknown, request: CandleRequest): ShownCandles;
  readonly priceRequests: readonly PriceRequest[];
}
