import { IsolationLevel, type SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { beforeDeadline, withDeadline } from '../../deadline.ts';
import { replaceRows } from '../../entities/given-rows.ts';
import type { DB, Row } from '../../entities/tables.ts';
import { EXPORT_STATEMENT_MS, PAGE_SIZES } from '../../limits.ts';
import { KIND_BOARDS, type KindWindow } from '../../rules/kinds.ts';
import { pendingSums, sumsWith } from '../ledger/kind-sums.ts';
import { rows } from '../../reads/sql.ts';
import { orderedAgents, sumsOf } from './ordered-board-statements.ts';
import { placesOf } from './ordered-boards.ts';

interface KindBoardDeps {
  readonly newEm: () => SqlEntityManager;
  /** Connections for long reads. */
  readonly newLongEm: () => SqlEntityManager;
  /** Called after boards are stored: a replica has them later. */
  readonly announce: () => void;
}

/** For its statements together: a database that answers no more must not stop the boards made after. */
const MAKING_MS = 2 * EXPORT_STATEMENT_MS;

/**
 * Makes the boards of a kind in a window if a round was resolved or amended since they were made. Callers at the same time
 * share the work, and a process makes those of one window after another: each is made at most once a decision. The work
 * continues after a caller's deadline.
 */
export function kindBoards({ newEm, newLongEm, announce }: KindBoardDeps): (kindWindow: KindWindow) => Promise<void> {
  const making = new Map<string, Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();
  return async (kindWindow) => {
    if (await areMade(newEm(), kindWindow)) return;
    const name = `${kindWindow.kind} ${kindWindow.period}`;
    const make = (): Promise<void> => withDeadline(MAKING_MS, () => makeBoards(newLongEm, kindWindow, announce));
    const next = making.get(name) ?? last.then(make).finally(() => making.delete(name));
    making.set(name, next);
    last = next.catch(() => {});
    await beforeDeadline(next);
  };
}

async function areMade(em: SqlEntityManager, { kind, period }: KindWindow): Promise<boolean> {
  const newest = em
    .getKysely<DB>()
    .selectFrom('kind_boards as b')
    .innerJoin('platform as p', 'p.boards_updated_at', 'b.updated_at')
    .where('p.id', '=', 1)
    .where('b.kind', '=', kind)
    .where('b.period', '=', period);
  return (await newest.select('b.updated_at').limit(1).executeTakeFirst()) !== undefined;
}

async function makeBoards(newEm: () => SqlEntityManager, kindWindow: KindWindow, announce: () => void): Promise<void> {
  const isolationLevel = IsolationLevel.REPEATABLE_READ;
  const made = await newEm().transactional((transaction) => boardsOf(transaction, kindWindow), { isolationLevel });
  if (made === null) return;
  await replaceRows(newEm(), 'kind_boards', made, 'updated_at');
  announce();
}

/** Null before the first resolution. All statements read one state. */
async function boardsOf(transaction: SqlEntityManager, { kind, period }: KindWindow) {
  const [pending] = await pendingSums(transaction, period, [kind]);
  if (pending === undefined) return null;
  // A table holds the sums, since they are read twice: for the agents of each board, then for their figures.
  const sums = sumsWith(pending, `${period}_`);
  await rows(transaction)`create temp table kind_board_sums on commit drop as select * from ${sums} s`;
  const from = sql.table<Row<'standings'>>('kind_board_sums');
  const boards = KIND_BOARDS.filter((board) => board.period === period);
  const ordered = await orderedAgents(transaction, boards, { sums: from, places: PAGE_SIZES.leaderboard.max });
  const shown = await sumsOf(transaction, ordered, from);
  return boards.map(({ orderBy, minRounds }) => {
    const found = ordered.find((one) => one.orderBy === orderBy && one.minRounds === minRounds);
    const places = found === undefined ? [] : placesOf(shown, found, []);
    return { kind, period, order_by: orderBy, min_rounds: minRounds, updated_at: pending.asOf, places };
  });
}
