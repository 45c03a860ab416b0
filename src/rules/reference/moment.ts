import type { Asset } from '../assets.ts';
import type { Decidable } from '../questions/deciding.ts';
import { stated } from '../questions/wording.ts';
import { exp, ln } from '../statistics/elementary.ts';
import { varianceOf, type Covariance } from './covariance.ts';

/** What the market has shown of an asset since the hour began, in USD. */
export interface AssetSoFar {
  readonly openUsd: number;
  readonly priceUsd: number;
  readonly highUsd: number;
  readonly lowUsd: number;
}

/** All that a reference follows from, but the question. */
export interface ReferenceMoment {
  /** Until the round's end, from 3600 to 0. */
  readonly secondsLeft: number;
  /** Every asset that decides the question; more do no harm. */
  readonly assets: Readonly<Partial<Record<Asset, AssetSoFar>>>;
  /** Of hourly log returns, all 8 assets in the order of `ASSETS`: see `covarianceOf`. */
  readonly covariance: Covariance;
  /** The sign of the subject's return in the hour before, which `momentum` asks about; null where it is not known. */
  readonly signBefore: -1 | 0 | 1 | null;
}

/** A question at a moment. */
export interface Situation {
  readonly question: Decidable;
  readonly moment: ReferenceMoment;
}

/** What has been seen of an asset that decides; throws where the moment does not have it. */
export function seen({ moment }: Situation, asset: Asset): AssetSoFar {
  const soFar = moment.assets[asset];
  if (soFar === undefined) throw new TypeError(`the moment must have the prices of ${asset} (got none)`);
  return soFar;
}

export function subjectOf({ question }: Situation): Asset {
  return stated(question.params.subject, 'subject');
}

/** The threshold as a fraction of the start price, with its sign: 0.0035 is +0.35 %. */
export function thresholdOf({ question }: Situation): number {
  return Number(stated(question.params.thresholdPct, 'threshold')) / 100;
}

/** The share of a move that the rest of a whole hour takes back on average, and of a lead over all other assets. */
const TAKEN_BACK = { move: 0.1, lead: 0.25 } as const;

/** ln(price / open), the log return so far, less what the rest of the hour is expected to take back. */
export function moveSoFar(situation: Situation, asset: Asset): number {
  const { openUsd, priceUsd } = seen(situation, asset);
  return (1 - TAKEN_BACK.move * shareLeft(situation)) * ln(priceUsd / openUsd);
}

/** What is left of a lead of one asset over the mean of all, after what the rest of the hour is expected to take back. */
export function leadKept(situation: Situation, lead: number): number {
  return (1 - TAKEN_BACK.lead * shareLeft(situation)) * lead;
}

const SECONDS_AN_HOUR = 3600;

/** No price is known so well that less than a hundredth of a basis point may still happen to it. */
const LEAST_DEVIATION = 1e-6;

/** The share of an hour that is left, from 0 to 1. */
export function shareLeft({ moment }: Situation): number {
  return Math.min(1, Math.max(0, moment.secondsLeft / SECONDS_AN_HOUR));
}

/** The standard deviation of what the weighted sum of the assets' log returns still gains until the end. */
export function deviationLeft(situation: Situation, weights: readonly (readonly [Asset, number])[]): number {
  const variance = varianceOf(weights, situation.moment.covariance) * varianceLeft(situation);
  return Math.max(LEAST_DEVIATION, Math.sqrt(Math.max(0, variance)));
}

/** The asset's standard deviation over an hour. */
export function deviationOf(asset: Asset, covariance: Covariance): number {
  return Math.sqrt(Math.max(0, varianceOf([[asset, 1]], covariance)));
}

/** The last minutes of an hour move less than their share of its time. */
const TIME_POWER = 1.13;

/** The share of the hour's variance that is left. */
export function varianceLeft(situation: Situation): number {
  const share = shareLeft(situation);
  return share > 0 ? exp(TIME_POWER * ln(share)) : 0;
}
