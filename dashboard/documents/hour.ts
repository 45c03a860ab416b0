import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The eight assets. */
export type Asset =
  /** Bitcoin. */
  | 'BTC'
  /** Ether. */
  | 'ETH'
  /** Solana. */
  | 'SOL'
  /** Avalanche. */
  | 'AVAX'
  /** Dogecoin. */
  | 'DOGE'
  /** Cardano. */
  | 'ADA'
  /** Chainlink. */
  | 'LINK'
  /** Polkadot. */
  | 'DOT';

export type HourPricesQueryVariables = Exact<{
  round: number;
}>;


export type HourPricesQuery = { readonly round: { readonly crowdHistory: ReadonlyArray<{ readonly at: string, readonly n: number, readonly shares: ReadonlyArray<{ readonly answer: string, readonly n: number, readonly confidenceSum: number }> }> | null, readonly forecasts: ReadonlyArray<{ readonly at: string, readonly entries: number, readonly probabilities: ReadonlyArray<{ readonly answer: string, readonly probability: number }> }> | null, readonly forecast: { readonly at: string, readonly entries: number, readonly probabilities: ReadonlyArray<{ readonly answer: string, readonly probability: number }> } | null, readonly reference: ReadonlyArray<{ readonly at: string, readonly known: boolean, readonly probabilities: ReadonlyArray<{ readonly answer: string, readonly probability: number }>, readonly prices: ReadonlyArray<{ readonly asset: Asset, readonly priceUsd: number }> }> } | null };

export type SaidFragment = { readonly at: string, readonly entries: number, readonly probabilities: ReadonlyArray<{ readonly answer: string, readonly probability: number }> };

export const HourPrices = "query HourPrices($round:Int!){round(id:$round){crowdHistory{at n shares{answer n confidenceSum}}forecasts{...Said}forecast{...Said}reference(points:60){at known probabilities{answer probability}prices{asset priceUsd}}}}fragment Said on Forecast{at entries probabilities{answer probability}}" as Document<HourPricesQuery, HourPricesQueryVariables>;
