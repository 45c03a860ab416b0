import { type Expression, sql, type SqlBool } from 'kysely';

import type { Read } from '../database/reads.ts';
import { parts } from '../reads/plan/parts.ts';
import { semaphore } from '../in-flight.ts';
import { EXPORT_STATEMENT_MS } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import type { Row } from './columns.ts';
import { EXPORT_LIMITS } from './export-limits.ts';
import type { ExportList } from './export-list.ts';

/** Rows of a list that meet `condition` and have an id above `after`. */
interface RowsRequest {
  readonly list: ExportList;
  readonly condition: Expression<SqlBool>;
  readonly after: number;
}

/** Rows in the order of their ids, a page at a time, up to the newest id at the beginning. */
export type ReadRows = (wanted: RowsRequest) => AsyncGenerator<readonly Row[]>;

/**
 * Reads each page in a statement of its own: a slow client holds neither a connection nor a snapshot. A page scans a
 * limited number of the rows from which ids are made, so that none takes long, however few rows match. Rows are counted,
 * not ids, since a restore leaves gaps in ids.
 */
export function rowReader(
  readBy: Read,
  connections: number,
  fillMinutes?: (roundId: number) => Promise<void>,
): ReadRows {
  // A semaphore: the wait for a connection times out after 3 s.
  const inTurn = semaphore(connections);
  const pageOf: ReadPage = (statement) => inTurn(() => read(readBy, statement));
  return async function* readRows({ list, condition, after }) {
    const { first, max } = EXPORT_LIMITS.scannedRows;
    const { rowsAtOnce = EXPORT_LIMITS.rowsAtOnce } = list;
    const newest = (await lastIdOf(list.madeOf, list.madeOf.ids, pageOf)) ?? 0;
    let scanned: number = first;
    for (let last = after; last < newest;) {
      const upTo = Math.min(newest, await idAhead(list, { after: last, scanned }, pageOf));
      if (fillMinutes !== undefined && list.hasMinutes === true) {
        const resolved = parts.selectFrom('rounds as r').select('r.id').where('r.status', '=', sql.lit('resolved'));
        const rounds = await pageOf(resolved.where(condition).where(madeOfWithin(list, last, upTo)));
        await Promise.all(rounds.map(({ id }) => fillMinutes(Number(id))));
      }
      const within = list.rows
        .where(condition)
        .where(idsWithin(list, last, upTo))
        .orderBy(list.id)
        .limit(rowsAtOnce);
      const rows = await pageOf(within.select(list.columns.map(({ name, value }) => value.sql.as(name))));
      if (rows.length > 0) yield rows;
      const isFull = rows.length === rowsAtOnce;
      last = isFull ? Number(rows.at(-1)?.['id']) : upTo;
      if (!isFull) scanned = Math.min(max, 2 * scanned);
    }
  };
}

type ReadPage = (query: Expression<unknown>) => Promise<readonly Row[]>;

/** Ids computed from other ids have no index; the index of those other ids finds the rows. */
function idsWithin(list: ExportList, after: number, upTo: number): Expression<SqlBool> {
  const others = madeOfWithin(list, after, upTo);
  if (list.madeOf.idsOfEach === 1) return others;
  return parts.and([others, parts(list.id, '>', after), parts(list.id, '<=', upTo)]);
}

function madeOfWithin({ madeOf }: ExportList, after: number, upTo: number): Expression<SqlBool> {
  const last = Math.floor(upTo / madeOf.idsOfEach);
  return parts.and([parts(madeOf.id, '>=', firstOf(madeOf, after)), parts(madeOf.id, '<=', last)]);
}

/** The first id from which one above `after` may be made. */
function firstOf({ idsOfEach }: SourceRows, after: number): number {
  return Math.floor((after + 1) / idsOfEach);
}

/** The last id that a page scans; infinite if no rows are left. */
async function idAhead(
  { madeOf }: ExportList,
  { after, scanned }: { readonly after: number; readonly scanned: number },
  pageOf: ReadPage,
): Promise<number> {
  const id = sql.ref<number>('id');
  const ahead = madeOf.ids.where(id, '>=', firstOf(madeOf, after)).orderBy(id);
  return (await lastIdOf(madeOf, ahead.limit(Math.ceil(scanned / madeOf.idsOfEach)), pageOf)) ?? Infinity;
}

type SourceRows = ExportList['madeOf'];

async function lastIdOf({ idsOfEach }: SourceRows, ids: SourceRows['ids'], pageOf: ReadPage): Promise<number | null> {
  const [row] = await pageOf(parts.selectFrom(ids.as('made')).select(({ fn }) => fn.max('made.id').as('last')));
  const last = row?.['last'] ?? null;
  return last === null ? null : idsOfEach * Number(last) + idsOfEach - 1;
}

async function read(readBy: Read, query: Expression<unknown>): Promise<readonly Row[]> {
  const statement = sql<Row>`${query}`;
  return withDeadline(EXPORT_STATEMENT_MS, () => readBy(async (em) => (await statement.execute(em.getKysely())).rows));
}
