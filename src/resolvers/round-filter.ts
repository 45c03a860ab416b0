import { type RawBuilder, sql } from 'kysely';

import { ASSETS, isAsset } from '../rules/assets.ts';
import { DomainError } from '../rules/errors.ts';
import type { QuestionType } from '../rules/questions/question.ts';
import { quoted } from '../rules/quoted.ts';
import type { RoundStatus } from '../rules/round-states.ts';

/** Which rounds are meant; what is unset or null leaves none out. */
export interface RoundFilter {
  readonly status?: readonly RoundStatus[] | null;
  readonly questionType?: readonly QuestionType[] | null;
  /** An asset whose candle decides the round. */
  readonly asset?: string | null;
  /** The earliest start, itself included. */
  readonly from?: Date | null;
  /** The start itself excluded. */
  readonly to?: Date | null;
}

/** Conditions on a round `r`. Throws `BAD_REQUEST` for an asset that there is not. */
export function roundConditions(filter: RoundFilter): readonly RawBuilder<unknown>[] {
  const { status, questionType, asset, from, to } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  if (status != null) conditions.push(sql`r.status = any(${[...status]})`);
  if (questionType != null) conditions.push(sql`r.question_type = any(${[...questionType]})`);
  if (from != null) conditions.push(sql`r.start_time >= ${from}`);
  if (to != null) conditions.push(sql`r.start_time < ${to}`);
  if (asset != null) {
    checkAsset(asset);
    conditions.push(sql`exists (select from round_assets ra where ra.round_id = r.id and ra.asset = ${asset})`);
  }
  return conditions;
}

/** Throws `BAD_REQUEST` unless it is one of the eight assets. */
export function checkAsset(asset: string): void {
  if (!isAsset(asset))
    throw new DomainError('BAD_REQUEST', `asset takes one of ${ASSETS.join(', ')}, not ${quoted(asset)}.`);
}
