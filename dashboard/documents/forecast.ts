import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A window of resolved rounds, counted back from the newest resolved round's end. */
export type Period =
  /** The last 24 hours. */
  | 'daily'
  /** The last 7 days. */
  | 'weekly'
  /** The last 30 days. */
  | 'monthly'
  /** Every resolved round. */
  | 'alltime';

/** The state of a round: upcoming, active, resolving, then resolved or void. */
export type RoundStatus =
  /** Stored; its hour has not begun. */
  | 'upcoming'
  /** Its hour is running: predictions are accepted. */
  | 'active'
  /** Its hour is over; the outcome is not decided yet. */
  | 'resolving'
  /** Decided by the market; predictions are scored. */
  | 'resolved'
  /** Ended without an outcome; no totals change. */
  | 'void';

/** The 13 kinds of question that rotate over the hours and the assets. */
export type QuestionType =
  /** Which of two assets has the higher return. */
  | 'relative'
  /** Which of the eight assets has the highest return. */
  | 'best_performer'
  /** Which of the eight assets has the lowest return. */
  | 'worst_performer'
  /** Which of four assets has the highest return. */
  | 'podium'
  /** Which of two assets has the wider (high - low) / open. */
  | 'volatility'
  /** Whether the close is above the open. */
  | 'direction'
  /** Whether the return reaches a threshold. */
  | 'threshold'
  /** Whether the price reaches a threshold at any time in the hour. */
  | 'touch'
  /** Whether the absolute return reaches a threshold. */
  | 'magnitude'
  /** Whether high and low both stay within a band, edges included. */
  | 'range'
  /** Whether the return has the same sign as in the hour before. */
  | 'momentum'
  /** Whether the return beats the mean return of all eight assets. */
  | 'beat_market'
  /** Whether at least n of the eight assets have a return above 0. */
  | 'breadth';

export type ForecastNowQueryVariables = Exact<{ [key: string]: never; }>;


export type ForecastNowQuery = { readonly currentRound: { readonly id: number, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly status: RoundStatus, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly forecast: { readonly at: string, readonly known: boolean, readonly entries: number, readonly probabilities: ReadonlyArray<{ readonly answer: string, readonly probability: number }>, readonly price: ReadonlyArray<{ readonly answer: string, readonly probability: number }>, readonly crowd: ReadonlyArray<{ readonly answer: string, readonly probability: number }> | null } | null } | null };

export type ForecastRecordQueryVariables = Exact<{
  period: Period;
}>;


export type ForecastRecordQuery = { readonly forecastRecord: { readonly betterAt: ReadonlyArray<string>, readonly worseAt: ReadonlyArray<string>, readonly checkpoints: ReadonlyArray<{ readonly minute: number, readonly rounds: number, readonly brier: number | null, readonly priceBrier: number | null, readonly crowdBrier: number | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly calibration: ReadonlyArray<{ readonly from: number, readonly to: number, readonly forecast: { readonly n: number, readonly meanProbability: number | null, readonly hitRate: number | null }, readonly price: { readonly n: number, readonly meanProbability: number | null, readonly hitRate: number | null }, readonly crowd: { readonly n: number, readonly meanProbability: number | null, readonly hitRate: number | null } }> }> } };

export type ForecastRoundsQueryVariables = Exact<{ [key: string]: never; }>;


export type ForecastRoundsQuery = { readonly rounds: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly endTime: string, readonly forecasts: ReadonlyArray<{ readonly minute: number | null, readonly brier: number | null, readonly priceBrier: number | null }> | null }> } };

export type ReliableFragment = { readonly n: number, readonly meanProbability: number | null, readonly hitRate: number | null };

export const ForecastNow = "query ForecastNow{currentRound{id questionType choices params{subject thresholdPct n}status forecast{at known entries probabilities{answer probability}price{answer probability}crowd{answer probability}}}}" as Document<ForecastNowQuery, ForecastNowQueryVariables>;
export const ForecastRecord = "query ForecastRecord($period:Period!){forecastRecord(period:$period){betterAt worseAt checkpoints{minute rounds brier priceBrier crowdBrier edge{mean low high}calibration{from to forecast{...Reliable}price{...Reliable}crowd{...Reliable}}}}}fragment Reliable on ForecastReliability{n meanProbability hitRate}" as Document<ForecastRecordQuery, ForecastRecordQueryVariables>;
export const ForecastRounds = "query ForecastRounds{rounds(first:100 status:[resolved]){nodes{id endTime forecasts{minute brier priceBrier}}}}" as Document<ForecastRoundsQuery, ForecastRoundsQueryVariables>;
