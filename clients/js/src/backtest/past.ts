import type { Asset, ByAsset, Candle, GridQuote, Outcome, Question, ReferenceBasis, RulesVersion } from '../rules.ts';

/** A finished hour of one asset. */
export interface HourCandle extends Candle {
  readonly hourStart: Date;
}

/** USD at an instant of an hour. */
export interface Shown {
  readonly price: number;
  /** Since the hour began. */
  readonly high: number;
  readonly low: number;
}

/** All data of a past round. Agents read it through `asOf`. */
export interface PastRound {
  /** The service's id; null for a round that was never asked. */
  readonly id: number | null;
  readonly hourStart: Date;
  readonly question: Question;
  readonly rulesVersion: RulesVersion;
  readonly outcome: Outcome;
  /** The reference's inputs beside prices; null if unknown. */
  readonly basis: ReferenceBasis | null;
  /** Known candles of the week before, the oldest first. */
  readonly candles: ByAsset<readonly HourCandle[]>;
  /** The prices of the round's assets at a point of its grid; null if one is unknown. */
  quoteAt(point: number): GridQuote | null;
  /** Also for hours before the round's; null if unknown. */
  shownAt(asset: Asset, time: Date): Shown | null;
}

/** Rounds in the order of their hours. */
export interface Past {
  /** The maximum number of rounds. */
  readonly count: number;
  readonly rounds: () => AsyncIterable<PastRound>;
}

/** From the first to before the last hour. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}
