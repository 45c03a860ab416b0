import type { Asset } from '../assets.ts';
import { exp, ln } from '../statistics/elementary.ts';
import { deviationOf, seen, shareLeft, type Situation } from './moment.ts';

/*
 * How wild an hour becomes is not known before, and normals of one width are too sure in the tails. So the standard
 * deviation of the last 7 days is multiplied by a factor whose logarithm is normal. The range so far tells more of it: the
 * log of a random walk's range over its deviation is close to normal itself (Alizadeh, Brandt and Diebold, Range-Based
 * Estimation of Stochastic Volatility Models, 2002). So what is known of the factor moves towards what was seen as two
 * normals combine, by their precisions.
 */

/** The factor's logarithm: its mean and deviation before the hour, and the variance of what the range says of the rest. */
export const FACTOR = { mean: -0.35, deviation: 0.55, noise: 0.3, noiseOfStart: 0.025 };

/** Of ln(range / deviation) of a random walk. */
const RANGE_MEAN = 0.43;

/** How far one hour's range is believed. */
const SIGHT = { min: -1.5, max: 1.5 } as const;

/** The five values of a standard normal that stand for a fifth of it each. */
const FIFTHS = [-1.2816, -0.5244, 0, 0.5244, 1.2816] as const;

/** Factors of the deviation, each with the same probability, by what the market has shown of these assets. */
export function factorsOf(situation: Situation, assets: readonly Asset[]): readonly number[] {
  const over = 1 - shareLeft(situation);
  const prior = FACTOR.deviation * FACTOR.deviation;
  const weight = over === 0 ? 0 : prior / (prior + FACTOR.noise + FACTOR.noiseOfStart / over);
  const sights = assets.map((asset) => sightOf(situation, asset, over));
  const sight = sights.reduce((sum, value) => sum + value, 0) / sights.length;
  const mean = FACTOR.mean + weight * (sight - FACTOR.mean);
  const deviation = Math.sqrt(prior * (1 - weight));
  return FIFTHS.map((fifth) => exp(mean + deviation * fifth));
}

/** The log of the factor that the asset's range so far speaks for. */
function sightOf(situation: Situation, asset: Asset, over: number): number {
  const { highUsd, lowUsd } = seen(situation, asset);
  const expected = deviationOf(asset, situation.moment.covariance) * Math.sqrt(over);
  if (!(highUsd > lowUsd) || expected === 0) return over === 0 ? 0 : SIGHT.min;
  return Math.min(SIGHT.max, Math.max(SIGHT.min, ln(ln(highUsd / lowUsd) / expected) - RANGE_MEAN));
}

/** The mean of a probability over how wild the rest of the hour may become. */
export function overVolatilities(factors: readonly number[], probability: (factor: number) => number): number {
  return factors.reduce((sum, factor) => sum + probability(factor), 0) / factors.length;
}
