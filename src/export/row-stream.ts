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
 * the tables is held for it. A page looks through a range of ids, so that none takes long, however few rows match.
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
    const { first, max } = EXPORT_LIMITS.idsAtOnce;
    const { rowsAtOnce = EXPORT_LIMITS.rowsAtOnce } = list;
    const newest = await newestId(list, pageOf);
    let range: number = first;
    for (let last = after; last < newest;) {
      const upTo = Math.min(newest, last + range);
      if (fillMinutes !== undefined && list.hasMinutes === true) {
        const rounds = await pageOf(sql<Row>`select r.id from rounds r where ${condition} and r.status = 'resolved'
          and ${roundsWithin(list, last, upTo)}`);
        await Promise.all(rounds.map(({ id }) => fillMinutes(Number(id))));
      }
      const rows = await pageOf(sql<Row>`${list.select} where ${condition}
        and ${idsWithin(list, last, upTo)} order by ${list.id} limit ${rowsAtOnce}`);
      if (rows.length > 0) yield rows;
      const isFull = rows.length === rowsAtOnce;
      last = isFull ? Number(rows.at(-1)?.['id']) : upTo;
      if (!isFull) range = Math.min(max, 2 * range);
    }
  };
}

type PageOf = (statement: RawBuilder<Row>) => Promise<readonly Row[]>;

/** Ids made of a round's have no index: that of the rounds finds them. */
function idsWithin(list: ExportList, after: number, upTo: number): RawBuilder<unknown> {
  const ids = sql`${list.id} > ${after} and ${list.id} <= ${upTo}`;
  return list.idsOfRound === undefined ? ids : sql`${roundsWithin(list, after, upTo)} and ${ids}`;
}

function roundsWithin({ idsOfRound = 1 }: ExportList, after: number, upTo: number): RawBuilder<unknown> {
  return sql`r.id >= ${Math.floor(after / idsOfRound)} and r.id <= ${Math.floor(upTo / idsOfRound)}`;
}

async function newestId({ newest }: ExportList, pageOf: PageOf): Promise<number> {
  const [row] = await pageOf(sql<Row>`${newest}`);
  return Number(row?.['newest'] ?? 0);
}

async function read(readBy: Read, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  return withDeadline(EXPORT_STATEMENT_MS, () => readBy(async (em) => (await statement.execute(em.getKysely())).rows));
}
