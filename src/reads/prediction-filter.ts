import { type Expression, expressionBuilder, type SqlBool } from 'kysely';

import { SEARCH_HOURS } from '../limits.ts';
import { DomainError, refused, wholeNumberWithin } from '../rules/errors.ts';
import { HOUR } from '../rules/hours.ts';
import { ANSWERS, CONFIDENCE, isChoice } from '../rules/predictions.ts';
import { OVER_STATUSES } from '../rules/round-states.ts';
import { type AliasedTables, anyOf } from './fragments.ts';
import type { RoundFilter } from './rounds.ts';

/** A filter of predictions; fields that are unset or null match all. */
export interface PredictionFilter {
  readonly isCorrect?: boolean | null;
  /** Percent, inclusive. */
  readonly minConfidence?: number | null;
  /** Percent, inclusive. */
  readonly maxConfidence?: number | null;
  readonly prediction?: string | null;
  /** True: filters by answer or confidence match nothing in rounds that are not over. */
  readonly sealed?: boolean;
}

const is = expressionBuilder<AliasedTables<{ p: 'predictions'; s: 'scores'; r: 'rounds' }>, 'p' | 's' | 'r'>();

/**
 * Conditions on a prediction `p` and its score `s`. Throws `BAD_REQUEST` for confidences outside 0-100, and for an answer
 * of no question.
 */
export function predictionConditions(filter: PredictionFilter): readonly Expression<SqlBool>[] {
  const { isCorrect, prediction } = filter;
  const { min, max } = confidencesOf(filter);
  const conditions: Expression<SqlBool>[] = [];
  if (isCorrect != null) conditions.push(is('s.is_correct', '=', isCorrect));
  if (min !== null) conditions.push(is('p.confidence', '>=', min));
  if (max !== null) conditions.push(is('p.confidence', '<=', max));
  if (prediction != null) {
    if (!isChoice(prediction)) throw refused('prediction', `one of ${ANSWERS.join(', ')}`, prediction);
    conditions.push(is('p.prediction', '=', prediction));
  }
  if (filter.sealed === true && (min !== null || max !== null || prediction != null)) {
    const round = is.selectFrom('rounds as o').whereRef('o.id', '=', 'p.round_id');
    conditions.push(is.exists(round.where('o.status', '=', anyOf(OVER_STATUSES))));
  }
  return conditions;
}

/** Filters, beside `prediction`, that no index serves. */
const SEARCHED = ['isCorrect', 'minConfidence', 'maxConfidence'];

/**
 * A condition on rounds `r` that any matching prediction implies, so that other rounds are not read. Throws `BAD_REQUEST` for
 * a filter that no index serves, unless it names a window of at most `SEARCH_HOURS`.
 */
export function searchConditions(filter: PredictionFilter & RoundFilter, now: Date): readonly Expression<SqlBool>[] {
  const { isCorrect, minConfidence, maxConfidence, prediction, from } = filter;
  if ([isCorrect, minConfidence, maxConfidence, prediction].every((one) => one == null)) return [];
  const to = filter.to ?? now;
  if (from == null || to.getTime() - from.getTime() > SEARCH_HOURS * HOUR) {
    const given = from == null ? 'no from' : `${Math.ceil((to.getTime() - from.getTime()) / HOUR)} hours`;
    throw new DomainError(
      'bad_request',
      (nameOf) =>
        `${SEARCHED.map(nameOf).join(', ')} and prediction need ${nameOf('agentId')}, or a window from "from" to "to" (now when unset) of at most ${SEARCH_HOURS} hours (got ${given}).`,
    );
  }
  if (prediction == null) return [];
  return [is('r.choices', '@>', is.cast<string[]>(is.val(JSON.stringify([prediction])), 'jsonb'))];
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
