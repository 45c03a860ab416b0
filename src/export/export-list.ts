import {
  type AliasableExpression,
  type AliasedExpression,
  type Expression,
  type RawBuilder,
  sql,
  type SqlBool,
} from 'kysely';

import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { type Column as Planned, one, plain } from '../reads/plan/plan.ts';
import { ROUND } from '../reads/plan/round.ts';
import { OVER_STATUSES } from '../rules/round-states.ts';
import { type Column, column } from './columns.ts';
import type { Filter } from './filters.ts';

/** A list that can be exported. Its first column is the id, by which a client continues. */
export interface ExportList {
  /** The name in the path. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
  readonly id: AliasableExpression<number>;
  /** The rows from which ids are made. */
  readonly madeOf: {
    readonly ids: Ids;
    /** The same id in `rows`. */
    readonly id: Expression<number>;
    /** The number of ids of the list per row; the first is the row's own times this. */
    readonly idsOfEach: number;
  };
  /** All rows, without columns, range and order. */
  readonly rows: ListRows;
  /** The maximum number of rows in memory, for lists of long rows; default: `EXPORT_LIMITS.rowsAtOnce`. */
  readonly rowsAtOnce?: number;
  /** True for prices of rounds `r`: their whole minutes must be stored before they are read. */
  readonly hasMinutes?: true;
}

interface ListRows extends Expression<unknown> {
  select(columns: readonly AliasedExpression<unknown, string>[]): ListRows;
  where(condition: Expression<SqlBool>): ListRows;
  orderBy(by: Expression<unknown>): ListRows;
  limit(count: number): ListRows;
}

/** A query of ids alone. */
interface Ids extends AliasableExpression<{ id: number }> {
  where(id: Expression<number>, operator: '>=', least: number): Ids;
  orderBy(id: Expression<number>): Ids;
  limit(count: number): Ids;
}

const { r, p, d } = byAlias({ r: 'rounds', p: 'predictions', d: 'round_assets' });

const ROUND_ID_ROWS = parts.selectFrom('rounds').select('rounds.id');

/** Ids of rows of a round `r`, ascending with time: `index` is from 0 and below `count`. */
export function idsOfRound(count: number, index: RawBuilder<number>): Pick<ExportList, 'id' | 'madeOf'> {
  const madeOf = { ids: ROUND_ID_ROWS, id: r('id'), idsOfEach: count };
  const first = parts(sql.lit(count), '*', parts.cast<number>(r('id'), 'int8'));
  return { id: parts.parens(parts(first, '+', index)), madeOf };
}

/** For lists with a row for each round. */
export const ROUND_IDS = idsThemselves(ROUND_ID_ROWS, r('id'));

/** For lists with at most a row for each prediction. */
export const PREDICTION_IDS = idsThemselves(parts.selectFrom('predictions').select('predictions.id'), p('id'));

function idsThemselves(ids: Ids, id: RawBuilder<number>): Pick<ExportList, 'id' | 'madeOf'> {
  return { id, madeOf: { ids, id, idsOfEach: 1 } };
}

/** True if a round `r` is over. */
export const IS_OVER = parts(r('status'), '=', parts.fn.any(parts.val(OVER_STATUSES)));

const R = ROUND.columns;

/** The columns behind the id in lists of rows of a round. */
export const OF_ROUND: readonly Column[] = [
  column('round_id', 'integer', R.id, 'The round.'),
  column('question_type', 'text', R.questionType, 'One of the 13 kinds.'),
  column('start_time', 'day', R.startTime, "The round's start, UTC."),
];

/** The parameters of a round's question. */
export const QUESTION_PARAMS: readonly Column[] = [
  column('subject', 'text', R.subject, 'The asset that the question is about, or null.'),
  column('operator', 'text', R.operator, '>, >=, <=, within, same_sign or null.'),
  column('threshold_pct', 'number', R.thresholdPct, 'Signed percent of the start price, or null.'),
  column('n', 'integer', R.n, 'breadth: how many assets; else null.'),
];

/** The assets that decide a round `r`, in its order. */
export const ROUND_ASSETS: Planned<readonly string[]> = one(
  plain(parts.fn.agg<readonly string[]>('json_agg', [d('asset')]).orderBy(d('position'))),
  parts.selectFrom('round_assets as d').where('d.round_id', '=', r('id')),
);

/** The number of a row in this order, from 1. */
export function rowNumber(...order: readonly Expression<unknown>[]) {
  return parts.fn.agg<number>('row_number').over((over) => order.reduce((ordered, by) => ordered.orderBy(by), over));
}

/** Numbers to the last bit, as texts. */
export function figures(value: RawBuilder<unknown>): Planned<readonly string[] | null> {
  return plain(sql`to_jsonb(${value}::text[])`);
}
