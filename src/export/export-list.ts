import { type RawBuilder, sql } from 'kysely';

import { type Column as Planned, plain } from '../reads/plan/plan.ts';
import { ROUND } from '../reads/plan/round.ts';
import { type Column, column } from './columns.ts';
import type { Filter } from './filters.ts';

/** A list that can be exported. Its first column is the id, by which a client goes on. */
export interface ExportList {
  /** As it stands in the path. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
  readonly id: RawBuilder<unknown>;
  /** Where ids are made of a round's, how many each round `r` has. */
  readonly idsOfRound?: number;
  /** A statement that gives the highest id that there may be, as `newest`. */
  readonly newest: RawBuilder<unknown>;
  /** All rows; what is wanted of them is added. */
  readonly select: RawBuilder<unknown>;
  /** How many rows are in memory at a time, where they are long; unset: `EXPORT_LIMITS.rowsAtOnce`. */
  readonly rowsAtOnce?: number;
  /** Whether its rows are the prices of rounds `r`, whose whole minutes are to be stored before they are read. */
  readonly hasMinutes?: true;
}

/** Ids of rows that hang on a round `r`, ascending with time: `place` is from 0 and below `idsOfRound`. */
export function idsOfRound(
  count: number,
  place: RawBuilder<unknown>,
): Pick<Required<ExportList>, 'id' | 'idsOfRound' | 'newest'> {
  return {
    id: sql`(${sql.lit(count)} * r.id::int8 + ${place})`,
    idsOfRound: count,
    newest: sql`select ${sql.lit(count)} * max(r.id)::int8 + ${sql.lit(count - 1)} as newest from rounds r`,
  };
}

const R = ROUND.columns;

/** Of lists with a row a round. */
export const ROUND_IDS = { id: R.id.sql, newest: sql`select max(r.id) as newest from rounds r` };

/** What rows of a round begin with, behind their id. */
export const OF_ROUND: readonly Column[] = [
  column('round_id', 'integer', R.id, 'The round.'),
  column('question_type', 'text', R.questionType, 'One of the 13 kinds.'),
  column('start_time', 'day', R.startTime, "The round's start, UTC."),
];

/** The assets that decide a round `r`, in its order. */
export const ROUND_ASSETS: Planned<readonly string[]> = plain(
  sql`(select json_agg(a.asset order by a.position) from round_assets a where a.round_id = r.id)`,
);

/** Numbers to the last bit, as texts. */
export function figures(value: RawBuilder<unknown>): Planned<readonly string[] | null> {
  return plain(sql`to_jsonb(${value}::text[])`);
}
