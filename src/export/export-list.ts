import { type RawBuilder, sql } from 'kysely';

import { type Column as Planned, plain } from '../reads/plan/plan.ts';
import { PREDICTION } from '../reads/plan/prediction.ts';
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
  /** The rows that ids are made of. */
  readonly madeOf: {
    /** A table or a query that has their ids as `id`. */
    readonly from: RawBuilder<unknown>;
    /** The same id in `select`. */
    readonly id: RawBuilder<unknown>;
    /** How many ids each of them has, from its own times so many on. */
    readonly idsOfEach: number;
  };
  /** All rows; what is wanted of them is added. */
  readonly select: RawBuilder<unknown>;
  /** How many rows are in memory at a time, where they are long; unset: `EXPORT_LIMITS.rowsAtOnce`. */
  readonly rowsAtOnce?: number;
  /** Whether its rows are the prices of rounds `r`, whose whole minutes are to be stored before they are read. */
  readonly hasMinutes?: true;
}

/** Ids of rows that hang on a round `r`, ascending with time: `place` is from 0 and below `count`. */
export function idsOfRound(count: number, place: RawBuilder<unknown>): Pick<ExportList, 'id' | 'madeOf'> {
  const madeOf = { from: sql`rounds`, id: R.id.sql, idsOfEach: count };
  return { id: sql`(${sql.lit(count)} * r.id::int8 + ${place})`, madeOf };
}

const R = ROUND.columns;

/** Of lists with a row a round. */
export const ROUND_IDS = idsThemselves(sql`rounds`, R.id.sql);

/** Of lists with at most a row a prediction. */
export const PREDICTION_IDS = idsThemselves(sql`predictions`, PREDICTION.columns.id.sql);

/** Of lists with at most a row for each of another's, under the same id. */
export function idsThemselves(from: RawBuilder<unknown>, id: RawBuilder<unknown>): Pick<ExportList, 'id' | 'madeOf'> {
  return { id, madeOf: { from, id, idsOfEach: 1 } };
}

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
