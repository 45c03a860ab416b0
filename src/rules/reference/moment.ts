import type { Asset } from '../assets.ts';
import type { DecidableQuestion } from '../questions/deciding.ts';
import { stated } from '../questions/wording.ts';
import { exp, ln } from '../statistics/special-functions.ts';
import { type Covariance, varianceOf } from './covariance.ts';

export interface AssetSoFar {
  readonly openUsd: number;
  readonly priceUsd: number;
  readonly highUsd: number;
  readonly lowUsd: number;
}

export interface ReferenceMoment {
  readonly secondsLeft: number;
  readonly assets: Readonly<Partial<Record<Asset, AssetSoFar>>>;
  readonly covariance: Covariance;
  readonly signBefore: -1 | 0 | 1 | null;
}

export interface QuestionMoment {
  readonly question: DecidableQuestion;
  readonly moment: ReferenceMoment;
}

export function assetSoFar({ moment }: QuestionMoment, asset: Asset): AssetSoFar {
  const soFar = moment.assets[asset];
  if (soFar === undefined) throw new TypeError(`the moment must have the prices of ${asset} (got none)`);
  return soFar;
}

export function subjectOf({ question }: QuestionMoment): Asset {
  return stated(question.params.subject, 'subject');
}

/** Signed fraction of the start price: 0.0035 is +0.35 %. */
export function thresholdOf({ question }: QuestionMoment): number {
  return Number(stated(question.params.thresholdPct, 'threshold')) / 100;
}

/** Mean reversion over a whole hour: shares of a move, and of a lead over all other assets, that are lost. */
const TAKEN_BACK = { move: 0.1, lead: 0.25 } as const;

export function moveSoFar(situation: QuestionMoment, asset: Asset): number {
  const { openUsd, priceUsd } = assetSoFar(situation, asset);
  return (1 - TAKEN_BACK.move * shareLeft(situation)) * ln(priceUsd / openUsd);
}

export function leadKept(situation: QuestionMoment, lead: number): number {
  return (1 - TAKEN_BACK.lead * shareLeft(situation)) * lead;
}

const SECONDS_AN_HOUR = 3600;

export function shareLeft({ moment }: QuestionMoment): number {
  return Math.min(1, Math.max(0, moment.secondsLeft / SECONDS_AN_HOUR));
}

/** The last minutes of an hour move less than their share of its time. */
const TIME_POWER = 1.13;

export function varianceLeft(situation: QuestionMoment): number {
  const share = shareLeft(situation);
  return share > 0 ? exp(TIME_POWER * ln(share)) : 0;
}

/*
 * An hour's volatility is unknown beforehand, and normals of one width are too sure in the tails. So the standard
 * deviation of the last 7 days is multiplied by a log-normal factor. The log of a random walk's range over its
 * deviation is close to normal (Alizadeh, Brandt and Diebold, Range-Based Estimation of Stochastic Volatility Models,
 * 2002). So the range so far updates the factor as two normals combine, by their precisions.
 */

/**
 * The factor's log has the prior `mean` and `deviation`. The observed range has a variance from `noise` and
 * `noiseOfStart`, which falls during the hour. `rangeMean` is the mean log of a range over its deviation. These values,
 * and the constants above, were fitted on the odd days of April 2021 and April 2023, and checked on the even days.
 */
const FACTOR = { mean: -0.1, deviation: 0.6, noise: 0.3, noiseOfStart: 0.01, rangeMean: 0.62 } as const;

const RANGE_LOG = { min: -1.5, max: 1.5 } as const;

/** Medians of the five fifths of a standard normal. */
const FIFTHS = [-1.2816, -0.5244, 0, 0.5244, 1.2816] as const;

function volatilityOf(situation: QuestionMoment, assets: readonly Asset[]) {
  const over = 1 - shareLeft(situation);
  const prior = FACTOR.deviation * FACTOR.deviation;
  const weight = over === 0 ? 0 : prior / (prior + FACTOR.noise + FACTOR.noiseOfStart / over);
  const logs = assets.map((asset) => rangeLogOf(situation, asset, over));
  const log = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  return { mean: FACTOR.mean + weight * (log - FACTOR.mean), deviation: Math.sqrt(prior * (1 - weight)) };
}

export function factorsOf(situation: QuestionMoment, assets: readonly Asset[]): readonly number[] {
  const { mean, deviation } = volatilityOf(situation, assets);
  return FIFTHS.map((fifth) => exp(mean + deviation * fifth));
}

/** Correlation of the logs of two assets' factors; `own` squared is 1 - `other` squared. */
const SHARED = { other: 0.6, own: 0.8 } as const;

export function factorPairs(
  situation: QuestionMoment,
  first: Asset,
  second: Asset,
): readonly (readonly [number, number])[] {
  const [one, other] = [volatilityOf(situation, [first]), volatilityOf(situation, [second])];
  return FIFTHS.flatMap((left) =>
    FIFTHS.map((right): readonly [number, number] => [
      exp(one.mean + one.deviation * left),
      exp(other.mean + other.deviation * (SHARED.other * left + SHARED.own * right)),
    ]),
  );
}

function rangeLogOf(situation: QuestionMoment, asset: Asset, over: number): number {
  const { highUsd, lowUsd } = assetSoFar(situation, asset);
  const expected = Math.sqrt(Math.max(0, varianceOf([[asset, 1]], situation.moment.covariance))) * Math.sqrt(over);
  if (!(highUsd > lowUsd) || expected === 0) return over === 0 ? 0 : RANGE_LOG.min;
  return Math.min(RANGE_LOG.max, Math.max(RANGE_LOG.min, ln(ln(highUsd / lowUsd) / expected) - FACTOR.rangeMean));
}

/** The minimum remaining deviation: a hundredth of a basis point. */
const LEAST_DEVIATION = 1e-6;

/** The mean probability over the deviations that these returns, added up with weights, may have in the rest of the hour. */
export function overDeviations(
  situation: QuestionMoment,
  weights: readonly (readonly [Asset, number])[],
  probability: (deviation: number) => number,
): number {
  const variance = varianceOf(weights, situation.moment.covariance) * varianceLeft(situation);
  const deviation = Math.max(LEAST_DEVIATION, Math.sqrt(Math.max(0, variance)));
  const assets = weights.map(([asset]) => asset);
  const factors = factorsOf(situation, assets);
  return factors.reduce((sum, factor) => sum + probability(factor * deviation), 0) / factors.length;
}
