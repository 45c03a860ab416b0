import { type RawBuilder, sql } from 'kysely';

import { DomainError } from '../rules/errors.ts';
import { CONFIDENCE } from '../rules/prediction.ts';
import { wholeNumberWithin } from './argument.ts';

/** Which predictions are meant; what is unset or null leaves none out. */
export interface PredictionFilter {
  readonly isCorrect?: boolean | null;
  /** Percent, itself included. */
  readonly minConfidence?: number | null;
  /** Percent, itself included. */
  readonly maxConfidence?: number | null;
  readonly prediction?: string | null;
}

/** Conditions on a prediction `p` and its score `s`. Throws `BAD_REQUEST` for confidences outside 0-100. */
export function predictionConditions(filter: PredictionFilter): readonly RawBuilder<unknown>[] {
  const { isCorrect, prediction } = filter;
  const { least, most } = confidencesOf(filter);
  const conditions: RawBuilder<unknown>[] = [];
  if (isCorrect != null) conditions.push(sql`s.is_correct = ${isCorrect}`);
  if (least !== null) conditions.push(sql`p.confidence >= ${least}`);
  if (most !== null) conditions.push(sql`p.confidence <= ${most}`);
  if (prediction != null) conditions.push(sql`p.prediction = ${prediction}`);
  return conditions;
}

function confidencesOf({ minConfidence, maxConfidence }: PredictionFilter) {
  const bounds = { least: CONFIDENCE.min, most: CONFIDENCE.max };
  const least = minConfidence == null ? null : wholeNumberWithin('minConfidence', minConfidence, bounds);
  const most = maxConfidence == null ? null : wholeNumberWithin('maxConfidence', maxConfidence, bounds);
  if (least !== null && most !== null && least > most)
    throw new DomainError('BAD_REQUEST', `minConfidence ${least} is above maxConfidence ${most}.`);
  return { least, most };
}
