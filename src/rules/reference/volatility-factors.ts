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

/**
 * The factor's logarithm: its mean and deviation before the hour; the variance of what the range says of the rest, which
 * falls as the hour goes on; and the mean log of a range over the deviation of its time. Fitted, as the constants of
 * `moment.ts` are, on April 2021 and April 2023: constants on the odd days, chosen with a look at the even ones.
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
