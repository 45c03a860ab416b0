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

export type ForecastRecordQueryVariables = Exact<{
  period: Period;
}>;


export type ForecastRecordQuery = { readonly forecastRecord: { readonly period: Period, readonly checkpoints: ReadonlyArray<{ readonly minute: number, readonly rounds: number, readonly brier: number | null, readonly priceBrier: number | null, readonly crowdBrier: number | null, readonly bestCandidate: string | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null }> } };

export type ForecastRoundsQueryVariables = Exact<{ [key: string]: never; }>;


export type ForecastRoundsQuery = { readonly rounds: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly endTime: string, readonly forecasts: ReadonlyArray<{ readonly minute: number | null, readonly brier: number | null, readonly priceBrier: number | null }> | null }> } };

export type ForecastCalibrationQueryVariables = Exact<{
  period: Period;
}>;


export type ForecastCalibrationQuery = { readonly forecastRecord: { readonly checkpoints: ReadonlyArray<{ readonly minute: number, readonly calibration: ReadonlyArray<{ readonly from: number, readonly to: number, readonly forecast: { readonly n: number, readonly meanProbability: number | null, readonly hitRate: number | null }, readonly price: { readonly n: number, readonly meanProbability: number | null, readonly hitRate: number | null }, readonly crowd: { readonly n: number, readonly meanProbability: number | null, readonly hitRate: number | null } }> }> } };

export type ReliableFragment = { readonly n: number, readonly meanProbability: number | null, readonly hitRate: number | null };

export const ForecastRecord = "query ForecastRecord($period:Period!){forecastRecord(period:$period){period checkpoints{minute rounds brier priceBrier crowdBrier edge{mean low high}bestCandidate}}}" as Document<ForecastRecordQuery, ForecastRecordQueryVariables>;
export const ForecastRounds = "query ForecastRounds{rounds(first:100 status:[resolved]){nodes{id endTime forecasts{minute brier priceBrier}}}}" as Document<ForecastRoundsQuery, ForecastRoundsQueryVariables>;
export const ForecastCalibration = "query ForecastCalibration($period:Period!){forecastRecord(period:$period){checkpoints{minute calibration{from to forecast{...Reliable}price{...Reliable}crowd{...Reliable}}}}}fragment Reliable on ForecastReliability{n meanProbability hitRate}" as Document<ForecastCalibrationQuery, ForecastCalibrationQueryVariables>;
