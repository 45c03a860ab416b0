import { type RawBuilder, sql } from 'kysely';

import { SEARCH_HOURS } from '../limits.ts';
import { DomainError, refused, wholeNumberWithin } from '../rules/errors.ts';
import { HOUR } from '../rules/hours.ts';
import { ANSWERS, CONFIDENCE, isChoice } from '../rules/predictions.ts';
import { OVER_STATUSES } from '../rules/round-states.ts';
import type { RoundFilter } from './rounds.ts';

/** Which predictions are meant; what is unset or null leaves none out. */
export interface PredictionFilter {
  readonly isCorrect?: boolean | null;
  /** Percent, itself included. */
  readonly minConfidence?: number | null;
  /** Percent, itself included. */
  readonly maxConfidence?: number | null;
  readonly prediction?: string | null;
  /** Whether answers and confidences of rounds that are not over match nothing. */
  readonly sealed?: boolean;
}

/**
 * Conditions on a prediction `p` and its score `s`. Throws `BAD_REQUEST` for confidences outside 0-100, and for an answer
 * that no question takes.
 */
export function predictionConditions(filter: PredictionFilter): readonly RawBuilder<unknown>[] {
  const { isCorrect, prediction } = filter;
  const { min, max } = confidencesOf(filter);
  const conditions: RawBuilder<unknown>[] = [];
  if (isCorrect != null) conditions.push(sql`s.is_correct = ${isCorrect}`);
  if (min !== null) conditions.push(sql`p.confidence >= ${min}`);
  if (max !== null) conditions.push(sql`p.confidence <= ${max}`);
  if (prediction != null) {
    if (!isChoice(prediction)) throw refused('prediction', `one of ${ANSWERS.join(', ')}`, prediction);
    conditions.push(sql`p.prediction = ${prediction}`);
  }
  if (filter.sealed === true && (min !== null || max !== null || prediction != null)) {
    conditions.push(
      sql`exists (select from rounds o where o.id = p.round_id and o.status = any(${[...OVER_STATUSES]}))`,
    );
  }
  return conditions;
}

/** Arguments that search in all that the others leave, beside `prediction`. */
const SEARCHED = ['isCorrect', 'minConfidence', 'maxConfidence'];

/**
 * Conditions on a round `r` without which none of its predictions can be meant: whole rounds are left unread. For such a
 * search in everybody's predictions, which no index serves, `BAD_REQUEST` unless `rounds` names a window of at most
 * `SEARCH_HOURS`.
 */
export function searchConditions(
  filter: PredictionFilter,
  rounds: RoundFilter,
  now: Date,
): readonly RawBuilder<unknown>[] {
  const { isCorrect, minConfidence, maxConfidence, prediction } = filter;
  if ([isCorrect, minConfidence, maxConfidence, prediction].every((one) => one == null)) return [];
  const { from } = rounds;
  const to = rounds.to ?? now;
  if (from == null || to.getTime() - from.getTime() > SEARCH_HOURS * HOUR) {
    const given = from == null ? 'no from' : `${Math.ceil((to.getTime() - from.getTime()) / HOUR)} hours`;
    throw new DomainError(
      'bad_request',
      (nameOf) =>
        `${SEARCHED.map(nameOf).join(', ')} and prediction need ${nameOf('agentId')}, or a window from "from" to "to" (now when unset) of at most ${SEARCH_HOURS} hours (got ${given}).`,
    );
  }
  return prediction == null ? [] : [sql`r.choices @> ${JSON.stringify([prediction])}::jsonb`];
}

function confidencesOf({ minConfidence, maxConfidence }: PredictionFilter) {
  const min = minConfidence == null ? null : wholeNumberWithin('minConfidence', minConfidence, CONFIDENCE);
  const max = maxConfidence == null ? null : wholeNumberWithin('maxConfidence', maxConfidence, CONFIDENCE);
  if (min !== null && max !== null && min > max)
    throw new DomainError(
      'invalid_parameter',
      (nameOf) => `${nameOf('minConfidence')} must not be above ${nameOf('maxConfidence')} (got ${min} and ${max}).`,
    );
  return { min, max };
}
