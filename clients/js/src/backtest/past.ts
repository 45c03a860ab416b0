import type { Asset, ByAsset, Candle, GridQuote, Outcome, Question, ReferenceBasis, RulesVersion } from '../rules.ts';

/** A finished hour of one asset. */
export interface HourCandle extends Candle {
  readonly hourStart: Date;
}

/** What the market had shown of an asset at an instant of an hour, in USD. */
export interface Shown {
  readonly price: number;
  /** Highest and lowest since the hour began. */
  readonly high: number;
  readonly low: number;
}

/** A round that is over, and all that is known of it. Who answers it sees it through `asOf`. */
export interface PastRound {
  /** The service's; null where the round was never asked. */
  readonly id: number | null;
  readonly hourStart: Date;
  readonly question: Question;
  readonly rulesVersion: RulesVersion;
  readonly outcome: Outcome;
  /** What references rest on beside the prices; null where it is not known. */
  readonly basis: ReferenceBasis | null;
  /** The candles of the week before, as far as they are known, the oldest first. */
  readonly candles: ByAsset<readonly HourCandle[]>;
  /** The prices of the round's assets at a point of its grid; null where one is not known. */
  quoteAt(point: number): GridQuote | null;
  /** What was shown of an asset then, also in an hour before the round's; null where it is not known. */
  shownAt(asset: Asset, time: Date): Shown | null;
}

/** Rounds in the order of their hours. */
export interface Past {
  /** How many there are at the most. */
  readonly count: number;
  readonly rounds: () => AsyncIterable<PastRound>;
}

/** Hours, from the first to before the last. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}
