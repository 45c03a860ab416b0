import { ln, normalCdf } from '../statistics/special-functions.ts';
import {
  assetSoFar,
  leadKept,
  moveSoFar,
  overDeviations,
  type QuestionMoment,
  subjectOf,
  thresholdOf,
} from './moment.ts';

/** P(YES), with a driftless random walk of log returns until the end of the hour. */
export type ChanceFormula = (situation: QuestionMoment) => number;

function above(situation: QuestionMoment, level: number): number {
  const asset = subjectOf(situation);
  const gap = level - moveSoFar(situation, asset);
  return overDeviations(situation, [[asset, 1]], (deviation) => normalCdf(-gap / deviation));
}

export const directionChance: ChanceFormula = (situation) => above(situation, 0);

export const thresholdChance: ChanceFormula = (situation) => {
  const chance = above(situation, ln(1 + thresholdOf(situation)));
  return situation.question.params.operator === '<=' ? 1 - chance : chance;
};

export const magnitudeChance: ChanceFormula = (situation) => {
  const threshold = thresholdOf(situation);
  return above(situation, ln(1 + threshold)) + 1 - above(situation, ln(1 - threshold));
};

/** Even odds, before recalibration, if the previous hour is unknown. */
export const momentumChance: ChanceFormula = (situation) => {
  const { signBefore } = situation.moment;
  if (signBefore === null) return 0.5;
  if (signBefore === 0) return 0;
  const rise = above(situation, 0);
  return signBefore > 0 ? rise : 1 - rise;
};

export const relativeChance: ChanceFormula = (situation) => {
  const [first, second] = situation.question.assets;
  if (first === undefined || second === undefined)
    throw new RangeError('a question of two returns must have two assets');
  const lead = moveSoFar(situation, first) - moveSoFar(situation, second);
  const weights = [
    [first, 1],
    [second, -1],
  ] as const;
  return overDeviations(situation, weights, (deviation) => normalCdf(lead / deviation));
};

/** The subject against the mean of all: a sum of normals, approximately, since returns are small. */
export const beatMarketChance: ChanceFormula = (situation) => {
  const { assets } = situation.question;
  const subject = subjectOf(situation);
  const weighted = assets.map((asset) => {
    const { openUsd, priceUsd } = assetSoFar(situation, asset);
    return { asset, price: priceUsd / openUsd, share: (asset === subject ? 1 : 0) - 1 / assets.length };
  });
  const lead = leadKept(
    situation,
    weighted.reduce((sum, { share, price }) => sum + share * (price - 1), 0),
  );
  const weights = weighted.map(({ asset, price, share }) => [asset, share * price] as const);
  return overDeviations(situation, weights, (deviation) => normalCdf(lead / deviation));
};

/** Reflection principle: half of the paths that touch a level end beyond it. */
export const touchChance: ChanceFormula = (situation) => {
  const asset = subjectOf(situation);
  const gap = Math.abs(ln(1 + thresholdOf(situation)) - moveSoFar(situation, asset));
  return overDeviations(situation, [[asset, 1]], (deviation) => 2 * normalCdf(-gap / deviation));
};

export const rangeChance: ChanceFormula = (situation) => {
  const asset = subjectOf(situation);
  const threshold = thresholdOf(situation);
  const move = moveSoFar(situation, asset);
  const gaps = { below: move - ln(1 - threshold), above: ln(1 + threshold) - move };
  return overDeviations(situation, [[asset, 1]], (deviation) => stayChance(gaps, deviation));
};

/**
 * P(a walk from 0 with this deviation stays within the gaps), by the method of images. Each reflection at one border is
 * reflected at the other (Feller, An Introduction to Probability Theory II, X.5).
 */
function stayChance(gaps: { readonly below: number; readonly above: number }, deviation: number): number {
  const width = gaps.below + gaps.above;
  if (deviation > 2 * width) return 0;
  // Images farther than 9 deviations add less than a double's last bit.
  const images = 1 + Math.ceil((4.5 * deviation) / width);
  let chance = 0;
  for (let image = -images; image <= images; image += 1) {
    const shift = 2 * image * width;
    const inside = normalCdf((gaps.above + shift) / deviation) - normalCdf((shift - gaps.below) / deviation);
    const mirrored =
      normalCdf((2 * width - gaps.below + shift) / deviation) - normalCdf((gaps.above + shift) / deviation);
    chance += inside - mirrored;
  }
  return chance;
}
