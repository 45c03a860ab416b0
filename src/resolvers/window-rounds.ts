import { type RawBuilder, sql } from 'kysely';

import { HOUR, SECOND } from '../rules/hours.ts';
import type { QuestionType } from '../rules/questions/question.ts';
import { type Period, WINDOW_LENGTHS } from '../rules/windows.ts';
import { every } from './keyset.ts';
import { roundConditions } from './round-filter.ts';

/** The resolved rounds of a window, of some question types, decided by an asset. */
export interface WindowRounds {
  readonly window: Period;
  readonly questionType: readonly QuestionType[] | null;
  readonly asset: string | null;
}

/**
 * These rounds as a table of `id`, `start_time`, `end_time` and `choice_count`. Every round lasts one hour: so ends are
 * told by starts, which have an index, and a window holds as many as it has hours, which the limit tells the planner.
 */
export function windowRounds({ window, questionType, asset }: WindowRounds): RawBuilder<unknown> {
  const length = WINDOW_LENGTHS[window];
  const conditions = roundConditions({ status: ['resolved'], questionType, asset });
  const columns = sql`r.id, r.start_time, r.end_time, jsonb_array_length(r.choices) as choice_count`;
  if (length === null) return sql`(select ${columns} from rounds r where ${every(conditions)})`;
  const inWindow = sql`r.start_time > (
    select newest_resolved_end - make_interval(secs => ${(length + HOUR) / SECOND}) from platform where id = 1)`;
  return sql`(
    select ${columns} from rounds r where ${every([...conditions, inWindow])}
    order by r.start_time desc limit ${length / HOUR})`;
}
