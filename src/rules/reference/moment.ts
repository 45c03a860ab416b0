import type { Asset } from '../assets.ts';
import type { Decidable } from '../questions/deciding.ts';
import { stated } from '../questions/wording.ts';
import { exp, ln } from '../statistics/special-functions.ts';
import { type Covariance, varianceOf } from './covariance.ts';

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
function deviationOf(asset: Asset, covariance: Covariance): number {
  return Math.sqrt(Math.max(0, varianceOf([[asset, 1]], covariance)));
}

/** The last minutes of an hour move less than their share of its time. */
const TIME_POWER = 1.13;

/** The share of the hour's variance that is left. */
export function varianceLeft(situation: Situation): number {
  const share = shareLeft(situation);
  return share > 0 ? exp(TIME_POWER * ln(share)) : 0;
}

/*
 * How wild an hour becomes is not known before, and normals of one width are too sure in the tails. So the standard
 * deviation of the last 7 days is multiplied by a factor whose logarithm is normal. The range so far tells more of it: the
 * log of a random walk's range over its deviation is close to normal itself (Alizadeh, Brandt and Diebold, Range-Based
 * Estimation of Stochastic Volatility Models, 2002). So what is known of the factor moves towards what was seen as two
 * normals combine, by their precisions.
 */

/**
 * The factor's logarithm: its mean and deviation before the hour; the variance of what the range says of the rest, which
 * falls as the hour goes on; and the mean log of a range over the deviation of its time. Fitted, as the constants above
 * are, on April 2021 and April 2023: constants on the odd days, chosen with a look at the even ones.
 */
const FACTOR = { mean: -0.1, deviation: 0.6, noise: 0.3, noiseOfStart: 0.01, rangeMean: 0.62 } as const;

/** How far one hour's range is believed. */
const SIGHT = { min: -1.5, max: 1.5 } as const;

/** The five values of a standard normal that stand for a fifth of it each. */
const FIFTHS = [-1.2816, -0.5244, 0, 0.5244, 1.2816] as const;

/** Mean and standard deviation of the factor's logarithm. */
interface Wildness {
  readonly mean: number;
  readonly deviation: number;
}

/** How wild the rest of the hour may become, by what the market has shown of these assets. */
function wildnessOf(situation: Situation, assets: readonly Asset[]): Wildness {
  const over = 1 - shareLeft(situation);
  const prior = FACTOR.deviation * FACTOR.deviation;
  const weight = over === 0 ? 0 : prior / (prior + FACTOR.noise + FACTOR.noiseOfStart / over);
  const sights = assets.map((asset) => sightOf(situation, asset, over));
  const sight = sights.reduce((sum, value) => sum + value, 0) / sights.length;
  return { mean: FACTOR.mean + weight * (sight - FACTOR.mean), deviation: Math.sqrt(prior * (1 - weight)) };
}

/** Factors of the deviation, each with the same probability. */
export function factorsOf(situation: Situation, assets: readonly Asset[]): readonly number[] {
  const { mean, deviation } = wildnessOf(situation, assets);
  return FIFTHS.map((fifth) => exp(mean + deviation * fifth));
}

/** The correlation of the logarithms of two assets' factors: `own` squared is the rest of 1. */
const SHARED = { other: 0.6, own: 0.8 } as const;

/** Pairs of factors of two assets, each pair with the same probability. */
export function factorPairs(situation: Situation, first: Asset, second: Asset): readonly (readonly [number, number])[] {
  const [one, other] = [wildnessOf(situation, [first]), wildnessOf(situation, [second])];
  return FIFTHS.flatMap((left) =>
    FIFTHS.map((right): readonly [number, number] => [
      exp(one.mean + one.deviation * left),
      exp(other.mean + other.deviation * (SHARED.other * left + SHARED.own * right)),
    ]),
  );
}

/** The log of the factor that the asset's range so far speaks for. */
function sightOf(situation: Situation, asset: Asset, over: number): number {
  const { highUsd, lowUsd } = seen(situation, asset);
  const expected = deviationOf(asset, situation.moment.covariance) * Math.sqrt(over);
  if (!(highUsd > lowUsd) || expected === 0) return over === 0 ? 0 : SIGHT.min;
  return Math.min(SIGHT.max, Math.max(SIGHT.min, ln(ln(highUsd / lowUsd) / expected) - FACTOR.rangeMean));
}

/** The mean of a probability over how wild the rest of the hour may become. */
export function overVolatilities(factors: readonly number[], probability: (factor: number) => number): number {
  return factors.reduce((sum, factor) => sum + probability(factor), 0) / factors.length;
}
