import { type Asset, ASSETS, byAsset, type ByAsset } from '../../src/rules/assets.ts';
import { addHours, HOUR, SECOND } from '../../src/rules/hours.ts';
import { planOf, questionOf } from '../../src/rules/questions/asking.ts';
import { type Question, QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { covarianceOf } from '../../src/rules/reference/covariance.ts';
import type { AssetSoFar } from '../../src/rules/reference/moment.ts';
import { referenceAt } from '../../src/rules/reference/reference.ts';
import { uniforms } from '../../src/rules/statistics/special-functions.ts';
import type { RulesVersion } from '../../src/rules/versions.ts';

/** The reference of each question type through an hour. */
export function referenceVectors(version: RulesVersion): readonly object[] {
  const draw = uniforms(20_261_123);
  const covariance = covarianceOf(closes(draw));
  const hour = walkedHour(draw);
  const questions = QUESTIONS.flatMap((question) =>
    MOMENTS.map(({ secondsLeft, minute }) => {
      const soFar = minute === null ? null : momentOf(hour, question.assets, minute);
      const { questionType, choices, assets, params } = question;
      const moment = soFar && { secondsLeft, assets: soFar, covariance, signBefore: 1 as const };
      const probabilities = referenceAt(question, moment, version);
      return { questionType, choices, assets, params, secondsLeft, signBefore: 1, soFar, probabilities };
    }),
  );
  return [{ covariance }, ...questions];
}

/** The last moment is an outage. */
const MOMENTS = [
  ...[0, 7, 20, 40, 55, 59].map((minute) => ({ secondsLeft: (HOUR - minute * 60 * SECOND) / SECOND, minute })),
  { secondsLeft: 600, minute: null },
];

const FIRST_HOUR = new Date('2026-11-21T00:00:00Z');
const HOURS = 13 * 8;

/** Two of each type, without history. */
const QUESTIONS: readonly Question[] = QUESTION_TYPES.flatMap((type) => {
  const hours = Array.from({ length: HOURS }, (_, hour) => addHours(FIRST_HOUR, hour));
  const asking = hours.filter((hour) => planOf(hour).questionType === type).slice(0, 2);
  return asking.map((hour) => questionOf(planOf(hour), hour, []));
});

type Draw = () => number;

function closes(draw: Draw): ByAsset<readonly number[]> {
  const common = Array.from({ length: 168 }, () => draw() - 0.5);
  return byAsset(() => {
    let price = 100;
    return [price, ...common.map((shared) => (price *= 1 + 0.01 * (shared + draw() - 0.5)))];
  });
}

/** Each asset's price at each minute of an hour, in percent of its open. */
function walkedHour(draw: Draw): ByAsset<readonly number[]> {
  return byAsset(() => {
    let price = 100;
    return [price, ...Array.from({ length: 59 }, () => (price *= 1 + 0.0012 * (draw() - 0.5)))];
  });
}

function momentOf(
  hour: ByAsset<readonly number[]>,
  assets: readonly Asset[],
  minute: number,
): Partial<Record<Asset, AssetSoFar>> {
  const soFar = ASSETS.filter((asset) => assets.includes(asset)).map((asset) => {
    const seen = hour[asset].slice(0, minute + 1);
    const [openUsd, priceUsd] = [seen[0] ?? Number.NaN, seen.at(-1) ?? Number.NaN];
    return [asset, { openUsd, priceUsd, highUsd: Math.max(...seen), lowUsd: Math.min(...seen) }];
  });
  return Object.fromEntries(soFar);
}
