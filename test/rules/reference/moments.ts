import * as fc from 'fast-check';

import { type Asset, ASSETS, byAsset, type ByAsset } from '../../../src/rules/assets.ts';
import { addHours } from '../../../src/rules/hours.ts';
import { planOf, questionOf } from '../../../src/rules/questions/asking.ts';
import { type Question, QUESTION_TYPES, type QuestionType } from '../../../src/rules/questions/question.ts';
import { covarianceOf } from '../../../src/rules/reference/covariance.ts';
import type { AssetSoFar, ReferenceMoment } from '../../../src/rules/reference/moment.ts';

const FIRST_HOUR = new Date('2026-11-21T00:00:00Z');

/** Questions without history, one for each of many hours, so that every type comes up with several subjects. */
export const QUESTIONS: readonly Question[] = Array.from({ length: 13 * 16 }, (_, hour) => {
  const start = addHours(FIRST_HOUR, hour);
  return questionOf(planOf(start), start, []);
});

export function questionsOf(type: QuestionType): readonly Question[] {
  return QUESTIONS.filter(({ questionType }) => questionType === type);
}

export const question = fc.constantFrom(...QUESTION_TYPES).chain((type) => fc.constantFrom(...questionsOf(type)));

const move = fc.double({ min: -0.03, max: 0.03, noNaN: true });

const soFar = fc
  .record({ openUsd: fc.constantFrom(0.07, 1, 30_000), end: move, up: move, down: move })
  .map(({ openUsd, end, up, down }): AssetSoFar => ({
    openUsd,
    priceUsd: openUsd * (1 + end),
    highUsd: openUsd * (1 + Math.max(0, end, up)),
    lowUsd: openUsd * (1 + Math.min(0, end, -Math.abs(down))),
  }));

/** Hourly closes of a market with a common factor, from 24 to 169 of them, some missing. */
const closes = fc
  .array(fc.array(fc.double({ min: -0.02, max: 0.02, noNaN: true }), { minLength: 9, maxLength: 9 }), {
    minLength: 24,
    maxLength: 169,
  })
  .map((hours) => byAsset((asset) => closesOf(hours, ASSETS.indexOf(asset))));

function closesOf(hours: readonly (readonly number[])[], place: number): (number | null)[] {
  let price = 100;
  return hours.map((returns) => {
    const [common = 0, own = 0] = [returns[8], returns[place]];
    price *= 1 + (common + own) / 2;
    return own > 0.0195 ? null : price;
  });
}

export const moment: fc.Arbitrary<ReferenceMoment> = fc.record({
  secondsLeft: fc.integer({ min: 0, max: 3600 }),
  assets: fc.record<ByAsset<AssetSoFar>>(byAsset(() => soFar)),
  covariance: closes.map(covarianceOf),
  signBefore: fc.constantFrom(-1, 0, 1, null),
});

/** The start of an hour in which nothing has moved yet, after hours as usual. */
export function startOfHour(): ReferenceMoment {
  return {
    secondsLeft: 3600,
    assets: byAsset(() => ({ openUsd: 100, priceUsd: 100, highUsd: 100, lowUsd: 100 })),
    covariance: covarianceOf(byAsset(() => [])),
    signBefore: 1,
  };
}

/** The same moment with the asset's price, and its extremes where it is beyond them, changed. */
export function priced(at: ReferenceMoment, asset: Asset, priceUsd: number): ReferenceMoment {
  const before = at.assets[asset];
  if (before === undefined) throw new TypeError(`the moment has no ${asset}`);
  const { openUsd, highUsd, lowUsd } = before;
  const after = { openUsd, priceUsd, highUsd: Math.max(highUsd, priceUsd), lowUsd: Math.min(lowUsd, priceUsd) };
  return { ...at, assets: { ...at.assets, [asset]: after } };
}
