import type { QuestionType } from '../questions/question.ts';
import { exp, ln } from '../statistics/elementary.ts';

/** What turns the model's probabilities into ones that happen as often as they say. */
export interface Recalibration {
  /** How much sharper than the model, by the share of the hour that is left and by the share that is over. */
  readonly left: number;
  readonly over: number;
  /** Added to the log odds of the first answer, by the same two shares; none where the answers are alike. */
  readonly lean: { readonly left: number; readonly over: number };
}

const EVEN = { left: 0, over: 0 } as const;

/*
 * The model is too sure of itself while much of the hour is left, of the best of many most of all. An hour goes on as the
 * one before a little less often than not, and one asset beats the mean of all less often than not, since a few that rise
 * far lift it. Prices stay in a range, and return to it, more often than a walk.
 * What would favour a rise, or an asset of many, is left out, though the bull market of 2021 would have it. Fitted by likelihood,
 * each type by itself, on January to April 2021 and April 2023. Fitted on any four of these five months, the fifth is said
 * within 4 points in 415 of 438 bins; `npm run test:long -- test/long/fairness/calibration` does so again.
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

/**
 * The model's probabilities of a question's answers (each from 0 to 1, together 1) as they have come true, `left` being the
 * share of the hour that is left: raised to a power and scaled to add up to 1. Keeps their order but for the lean; 0 stays 0.
 */
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
