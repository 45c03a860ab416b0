import { type RawBuilder, sql } from 'kysely';

import type { Read } from '../database/reads.ts';
import { semaphore } from '../in-flight.ts';
import { EXPORT_STATEMENT_MS } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import type { Row } from './columns.ts';
import { EXPORT_LIMITS } from './export-limits.ts';
import type { ExportList } from './export-list.ts';

/** What is asked of a list: rows that meet `condition` and have an id above `after`. */
export interface Wanted {
  readonly list: ExportList;
  readonly condition: RawBuilder<unknown>;
  readonly after: number;
}

/** Rows in the order of their ids, some at a time, up to the newest that there was at the beginning. */
export type ReadRows = (wanted: Wanted) => AsyncGenerator<readonly Row[]>;

/**
 * Reads page by page, each in a statement of its own: while a client takes its time neither a connection nor a view of
 * the tables is held for it. A page looks through so many of the rows that ids are made of, so that none takes long, however
 * few match. They are counted, not their numbers: after a restore ids go on far ahead.
 */
export function rowReader(
  readBy: Read,
  connections: number,
  fillMinutes?: (roundId: number) => Promise<void>,
): ReadRows {
  // In turn: a connection that is waited for is given up after 3 s.
  const inTurn = semaphore(connections);
  const pageOf: PageOf = (statement) => inTurn(() => read(readBy, statement));
  return async function* readRows({ list, condition, after }) {
    const { first, max } = EXPORT_LIMITS.lookedAt;
    const { rowsAtOnce = EXPORT_LIMITS.rowsAtOnce } = list;
    const newest = await newestId(list, pageOf);
    let lookedAt: number = first;
    for (let last = after; last < newest;) {
      const upTo = Math.min(newest, await idAhead(list, { after: last, lookedAt }, pageOf));
      if (fillMinutes !== undefined && list.hasMinutes === true) {
        const rounds = await pageOf(sql<Row>`select r.id from rounds r where ${condition} and r.status = 'resolved'
          and ${madeOfWithin(list, last, upTo)}`);
        await Promise.all(rounds.map(({ id }) => fillMinutes(Number(id))));
      }
      const rows = await pageOf(sql<Row>`${list.select} where ${condition}
        and ${idsWithin(list, last, upTo)} order by ${list.id} limit ${rowsAtOnce}`);
      if (rows.length > 0) yield rows;
      const isFull = rows.length === rowsAtOnce;
      last = isFull ? Number(rows.at(-1)?.['id']) : upTo;
      if (!isFull) lookedAt = Math.min(max, 2 * lookedAt);
    }
  };
}

type PageOf = (statement: RawBuilder<Row>) => Promise<readonly Row[]>;

/** Ids made of others have no index: that of the others finds them. */
function idsWithin(list: ExportList, after: number, upTo: number): RawBuilder<unknown> {
  const others = madeOfWithin(list, after, upTo);
  return list.madeOf.idsOfEach === 1 ? others : sql`${others} and ${list.id} > ${after} and ${list.id} <= ${upTo}`;
}

function madeOfWithin({ madeOf }: ExportList, after: number, upTo: number): RawBuilder<unknown> {
  return sql`${madeOf.id} >= ${firstOf(madeOf, after)} and ${madeOf.id} <= ${Math.floor(upTo / madeOf.idsOfEach)}`;
}

/** The first that may have an id above `after`. */
function firstOf({ idsOfEach }: ExportList['madeOf'], after: number): number {
  return Math.floor((after + 1) / idsOfEach);
}

async function newestId({ madeOf }: ExportList, pageOf: PageOf): Promise<number> {
  const [row] = await pageOf(sql<Row>`select max(id) as last from ${madeOf.from}`);
  return lastIdOf(madeOf, row) ?? 0;
}

/** The last id of those that a page looks through; infinite where there are none, which may have gone meanwhile. */
async function idAhead(
  { madeOf }: ExportList,
  { after, lookedAt }: { readonly after: number; readonly lookedAt: number },
  pageOf: PageOf,
): Promise<number> {
  const [row] = await pageOf(sql<Row>`select max(id) as last from (select id from ${madeOf.from}
    where id >= ${firstOf(madeOf, after)} order by id limit ${Math.ceil(lookedAt / madeOf.idsOfEach)}) ahead`);
  return lastIdOf(madeOf, row) ?? Infinity;
}

function lastIdOf({ idsOfEach }: ExportList['madeOf'], row: Row | undefined): number | null {
  const last = row?.['last'] ?? null;
  return last === null ? null : idsOfEach * Number(last) + idsOfEach - 1;
}

async function read(readBy: Read, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  return withDeadline(EXPORT_STATEMENT_MS, () => readBy(async (em) => (await statement.execute(em.getKysely())).rows));
}
