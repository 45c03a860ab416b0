import type { QuestionType } from '../questions/question.ts';
import { exp, ln } from '../statistics/elementary.ts';

/** What turns the model's probabilities into ones that happen as often as they say. */
interface Row {
  /** How much sharper than the model, by the share of the hour that is left and by the share that is over. */
  readonly left: number;
  readonly over: number;
  /** Added to the log odds of the first answer at the start of the hour, less and less until its end. */
  readonly lean: number;
}

/*
 * The model is too sure of itself while much of the hour is left, of the best of many most of all, and too cautious once
 * little is left. An hour goes on as the one before a little less often than not, and one asset beats the mean of all less
 * often than not, since a few that rise far lift it. Fitted by likelihood on all hours of April 2021 and April 2023 for the
 * four families together; tested on January to March 2021, which nothing was fitted on.
 */
const OF_MANY: Row = { left: -0.25, over: 0.1, lean: 0 };
const OF_CLOSES: Row = { left: -0.075, over: 0.165, lean: 0 };
const OF_EXTREMES: Row = { left: -0.07, over: 0.07, lean: 0 };

const ROWS: Readonly<Record<QuestionType, Row>> = {
  relative: OF_CLOSES,
  best_performer: OF_MANY,
  worst_performer: OF_MANY,
  podium: OF_MANY,
  volatility: OF_EXTREMES,
  direction: OF_CLOSES,
  threshold: OF_CLOSES,
  touch: OF_EXTREMES,
  magnitude: OF_EXTREMES,
  range: OF_EXTREMES,
  momentum: { ...OF_CLOSES, lean: -0.135 },
  beat_market: { ...OF_CLOSES, lean: -0.115 },
  breadth: { ...OF_MANY, over: 0.18 },
};

/**
 * The model's probabilities of a question's answers (each from 0 to 1, together 1) as they have come true, `left` being the
 * share of the hour that is left: raised to a power and scaled to add up to 1. Keeps their order but for the lean; 0 stays 0.
 */
export function recalibrated(
  probabilities: readonly number[],
  questionType: QuestionType,
  left: number,
): readonly number[] {
  const row = ROWS[questionType];
  const power = 1 + row.left * left + row.over * (1 - left);
  const weights = probabilities.map((probability, index) =>
    probability > 0 ? exp(power * ln(probability) + (index === 0 ? row.lean * left : 0)) : 0,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
