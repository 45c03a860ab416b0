import type { Decidable } from '../questions/deciding.ts';
import type { QuestionType } from '../questions/question.ts';
import { stated } from '../questions/wording.ts';
import {
  beatMarketChance,
  directionChance,
  magnitudeChance,
  momentumChance,
  rangeChance,
  thresholdChance,
  touchChance,
  relativeChance,
  type Chance,
} from './closed-forms.ts';
import { risersShare, widerShare, winnerShares } from './drawn.ts';
import { seen, shareLeft, subjectOf, thresholdOf, type ReferenceMoment, type Situation } from './moment.ts';
import { RECALIBRATIONS, recalibrated, type Recalibration } from './recalibration.ts';

export { covarianceOf } from './covariance.ts';
export type { AssetSoFar, ReferenceMoment } from './moment.ts';

/** What has not happened yet is never said to be surer than this. */
const BOUNDS = { min: 0.02, max: 0.98 } as const;

/** How a type's probabilities follow, and what settles it before the hour is over: the winning answer's index. */
interface Row {
  readonly probabilities: (situation: Situation) => readonly number[];
  readonly settled: (situation: Situation) => number | null;
}

/** A question is settled early only where the price's extremes decide it. */
const open = { settled: (): null => null } as const;

const YES = 0;
const NO = 1;

const ROWS: Readonly<Record<QuestionType, Row>> = {
  relative: { ...open, probabilities: pairOf(relativeChance) },
  best_performer: { ...open, probabilities: (situation) => winnerShares(situation, 'highest') },
  worst_performer: { ...open, probabilities: (situation) => winnerShares(situation, 'lowest') },
  podium: { ...open, probabilities: (situation) => winnerShares(situation, 'highest') },
  volatility: { ...open, probabilities: pairOf(widerShare) },
  direction: { ...open, probabilities: pairOf(directionChance) },
  threshold: { ...open, probabilities: pairOf(thresholdChance) },
  touch: { probabilities: pairOf(touchChance), settled: (situation) => (hasTouched(situation) ? YES : null) },
  magnitude: { ...open, probabilities: pairOf(magnitudeChance) },
  range: { probabilities: pairOf(rangeChance), settled: (situation) => (hasLeft(situation) ? NO : null) },
  momentum: { ...open, probabilities: pairOf(momentumChance) },
  beat_market: { ...open, probabilities: pairOf(beatMarketChance) },
  breadth: {
    ...open,
    probabilities: pairOf((situation) => risersShare(situation, stated(situation.question.params.n, 'n'))),
  },
};

/**
 * What the price alone says of a question at a moment: a probability for each choice, in the order of the choices, adding
 * up to 1. An outcome that is settled has 1; all others are kept within 0.02 and 0.98, then scaled to add up. 1 / k
 * each where no price is known (`moment` null).
 *
 * The same bits on every machine: see `src/rules/statistics/elementary.ts` for what that rests on. Throws where the
 * moment lacks an asset that decides, and on prices that are not above 0.
 */
export function referenceAt(question: Decidable, moment: ReferenceMoment | null): readonly number[] {
  if (moment === null) return question.choices.map(() => 1 / question.choices.length);
  const situation = { question, moment };
  const winner = ROWS[question.questionType].settled(situation);
  if (winner !== null) return question.choices.map((_, index) => (index === winner ? 1 : 0));
  return said(modelAt(situation), RECALIBRATIONS[question.questionType], shareLeft(situation));
}

/** What the random walk alone gives each choice of a question that is not settled, before it is recalibrated. */
export function modelAt(situation: Situation): readonly number[] {
  return ROWS[situation.question.questionType].probabilities(situation);
}

/** The model's probabilities, recalibrated and kept within the bounds; `left` is the share of the hour that is left. */
export function said(model: readonly number[], recalibration: Recalibration, left: number): readonly number[] {
  const least = BOUNDS.min / (model.length - 1);
  const likely = recalibrated(model, recalibration, left);
  const bounded = likely.map((value) => Math.min(BOUNDS.max, Math.max(least, value)));
  const sum = bounded.reduce((total, value) => total + value, 0);
  return bounded.map((value) => value / sum);
}

function pairOf(chance: Chance): Row['probabilities'] {
  return (situation) => {
    const first = chance(situation);
    return [first, 1 - first];
  };
}

function hasTouched(situation: Situation): boolean {
  const threshold = thresholdOf(situation);
  const { high, low } = extremesOf(situation);
  return threshold > 0 ? high >= 1 + threshold : low <= 1 + threshold;
}

function hasLeft(situation: Situation): boolean {
  const threshold = thresholdOf(situation);
  const { high, low } = extremesOf(situation);
  return high > 1 + threshold || low < 1 - threshold;
}

/** The subject's extremes so far, as multiples of the start price; a price that the hour's candle will not show is none of them. */
function extremesOf(situation: Situation): { readonly high: number; readonly low: number } {
  const { openUsd, highUsd, lowUsd } = seen(situation, subjectOf(situation));
  return { high: highUsd / openUsd, low: lowUsd / openUsd };
}
