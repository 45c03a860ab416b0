import { scaledAfterBounds, withinBounds } from '../bounds.ts';
import type { DecidableQuestion } from '../questions/deciding.ts';
import type { QuestionType } from '../questions/question.ts';
import { stated } from '../questions/wording.ts';
import {
  beatMarketChance,
  type ChanceFormula,
  directionChance,
  magnitudeChance,
  momentumChance,
  rangeChance,
  relativeChance,
  thresholdChance,
  touchChance,
} from './closed-forms.ts';
import { risersShare, widerShare, winnerShares } from './drawn.ts';
import { assetSoFar, type QuestionMoment, type ReferenceMoment, shareLeft, subjectOf, thresholdOf } from './moment.ts';
import { exp, ln } from '../statistics/special-functions.ts';
import { RULES, type RulesVersion } from '../versions.ts';

const YES = 0;
const NO = 1;

type Model = (situation: QuestionMoment) => readonly number[];

const MODELS: Readonly<Record<QuestionType, Model>> = {
  relative: pairOf(relativeChance),
  best_performer: (situation) => winnerShares(situation, 'highest'),
  worst_performer: (situation) => winnerShares(situation, 'lowest'),
  podium: (situation) => winnerShares(situation, 'highest'),
  volatility: pairOf(widerShare),
  direction: pairOf(directionChance),
  threshold: pairOf(thresholdChance),
  touch: pairOf(touchChance),
  magnitude: pairOf(magnitudeChance),
  range: pairOf(rangeChance),
  momentum: pairOf(momentumChance),
  beat_market: pairOf(beatMarketChance),
  breadth: pairOf((situation) => risersShare(situation, stated(situation.question.params.n, 'n'))),
};

/** The winning answer's index if the price has decided early, else null. */
const SETTLED: Readonly<Partial<Record<QuestionType, (situation: QuestionMoment) => number | null>>> = {
  touch: (situation) => (hasTouched(situation) ? YES : null),
  range: (situation) => (hasLeft(situation) ? NO : null),
};

/**
 * The price's probabilities in the order of the choices, adding up to 1. A settled outcome has 1; others stay within
 * `BOUNDS`. 1 / k each where `moment` is null. The same bits on every machine: see
 * `src/rules/statistics/special-functions.ts`. Throws where a deciding asset is missing, and on prices that are not
 * above 0.
 */
export function referenceAt(
  question: DecidableQuestion,
  moment: ReferenceMoment | null,
  version: RulesVersion,
): readonly number[] {
  if (moment === null) return question.choices.map(() => 1 / question.choices.length);
  const situation = { question, moment };
  const winner = SETTLED[question.questionType]?.(situation) ?? null;
  if (winner !== null) return question.choices.map((_, index) => (index === winner ? 1 : 0));
  const likely = recalibrated(modelAt(situation), RECALIBRATIONS[question.questionType], shareLeft(situation));
  return RULES[version].boundedReference === 'after scaling' ? withinBounds(likely) : scaledAfterBounds(likely);
}

export function modelAt(situation: QuestionMoment): readonly number[] {
  return MODELS[situation.question.questionType](situation);
}

function pairOf(chance: ChanceFormula): Model {
  return (situation) => {
    const first = chance(situation);
    return [first, 1 - first];
  };
}

function hasTouched(situation: QuestionMoment): boolean {
  const threshold = thresholdOf(situation);
  const { high, low } = extremesOf(situation);
  return threshold > 0 ? high >= 1 + threshold : low <= 1 + threshold;
}

function hasLeft(situation: QuestionMoment): boolean {
  const threshold = thresholdOf(situation);
  const { high, low } = extremesOf(situation);
  return high > 1 + threshold || low < 1 - threshold;
}

function extremesOf(situation: QuestionMoment): { readonly high: number; readonly low: number } {
  const { openUsd, highUsd, lowUsd } = assetSoFar(situation, subjectOf(situation));
  return { high: highUsd / openUsd, low: lowUsd / openUsd };
}

export interface Recalibration {
  /** The sharpening per share of the hour: `left` for the share still to come, `over` for the past one. */
  readonly left: number;
  readonly over: number;
  /** Added to the log odds of the first answer, by the same shares. */
  readonly lean: { readonly left: number; readonly over: number };
}

const EVEN = { left: 0, over: 0 } as const;

/*
 * The walk is overconfident early in the hour, most of all about the best of many. Hours continue the previous one a
 * little less often than not. One asset beats the mean of all less often than not, since a few large rises lift it.
 * Prices stay in a range, and return to it, more often than a walk. Effects that favour rises, as the bull market of
 * 2021 had, are left out. Fitted by likelihood per type on January to April 2021 and April 2023. Cross-validation: `npm
 * run test:long -- test/long/fairness/calibration`.
 */
export const RECALIBRATIONS: Readonly<Record<QuestionType, Recalibration>> = {
  relative: { left: -0.02, over: 0.04, lean: EVEN },
  best_performer: { left: -0.28, over: -0.06, lean: EVEN },
  worst_performer: { left: -0.1, over: 0.14, lean: EVEN },
  podium: { left: -0.18, over: 0.04, lean: EVEN },
  volatility: { left: -0.08, over: -0.12, lean: { left: -0.14, over: 0 } },
  direction: { left: -0.04, over: 0.08, lean: EVEN },
  threshold: { left: -0.02, over: 0.04, lean: { left: -0.02, over: 0.08 } },
  touch: { left: 0.02, over: 0, lean: { left: -0.06, over: 0.12 } },
  magnitude: { left: -0.12, over: 0.06, lean: { left: -0.14, over: 0.12 } },
  range: { left: -0.16, over: -0.08, lean: { left: 0.18, over: -0.2 } },
  momentum: { left: -0.04, over: 0.08, lean: { left: -0.06, over: 0.04 } },
  beat_market: { left: 0.02, over: 0.16, lean: { left: -0.1, over: -0.08 } },
  breadth: { left: -0.22, over: 0.02, lean: EVEN },
};

/** Raises to a power and scales to 1; `left`: share of the hour left. Keeps the order except for the lean. */
export function recalibrated(
  probabilities: readonly number[],
  { left: sharperLeft, over: sharperOver, lean }: Recalibration,
  left: number,
): readonly number[] {
  const power = 1 + sharperLeft * left + sharperOver * (1 - left);
  const leaning = lean.left * left + lean.over * (1 - left);
  const weights = probabilities.map((probability, index) =>
    probability > 0 ? exp(power * ln(probability) + (index === 0 ? leaning : 0)) : 0,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
