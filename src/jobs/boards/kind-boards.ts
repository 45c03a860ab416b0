import { IsolationLevel } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { PAGE_SIZES } from '../../limits.ts';
import { rows } from '../../reads/sql.ts';
import { KIND_BOARDS, type KindWindow } from '../../rules/kinds.ts';
import { pendingSums, sumsWith } from '../ledger/kind-sums.ts';
import { orderedAgents, sumsOf } from './ordered-board-statements.ts';
import { placesOf } from './ordered-boards.ts';

interface KindBoardDeps {
  readonly newEm: () => SqlEntityManager;
  /** Connections for long reads, which boards are made on. */
  readonly newLongEm: () => SqlEntityManager;
  /** Called after boards are stored: a replica has them later. */
  readonly announce: () => void;
}

/**
 * Makes the boards of a kind in a window if a round was resolved or amended since they were made. Callers at the same time
 * share the work, and a process makes those of one window after another: each is made at most once a decision. A caller
 * whose deadline ends leaves the work to the next one.
 */
export function kindBoards({ newEm, newLongEm, announce }: KindBoardDeps): (asked: KindWindow) => Promise<void> {
  const making = new Map<string, Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();
  return async (asked) => {
    if (await areMade(newEm(), asked)) return;
    const name = `${asked.kind} ${asked.period}`;
    const next =
      making.get(name) ?? last.then(() => makeBoards(newLongEm, asked, announce)).finally(() => making.delete(name));
    making.set(name, next);
    last = next.catch(() => {});
    await next;
  };
}

async function areMade(em: SqlEntityManager, { kind, period }: KindWindow): Promise<boolean> {
  const found = await rows(em)`
    select from kind_boards b join platform p on p.id = 1
    where b.kind = ${kind} and b.period = ${period} and b.updated_at = p.boards_updated_at limit 1`;
  return found.length > 0;
}

async function makeBoards(newEm: () => SqlEntityManager, asked: KindWindow, announce: () => void): Promise<void> {
  const { kind, period } = asked;
  const isolationLevel = IsolationLevel.REPEATABLE_READ;
  const made = await newEm().transactional((transaction) => boardsOf(transaction, asked), { isolationLevel });
  if (made === null) return;
  await rows(newEm())`
    insert into kind_boards (kind, period, order_by, min_rounds, updated_at, places)
    select ${kind}, ${period}, b."orderBy", b."minRounds", ${made.updatedAt}::timestamptz, b.places
    from jsonb_to_recordset(${JSON.stringify(made.boards)}::jsonb) as b("orderBy" text, "minRounds" int, places jsonb)
    order by 3, 4
    on conflict (kind, period, order_by, min_rounds)
      do update set updated_at = excluded.updated_at, places = excluded.places
      where kind_boards.updated_at < excluded.updated_at`;
  announce();
}

/** Null before the first resolution. All statements read one state. */
async function boardsOf(transaction: SqlEntityManager, { kind, period }: KindWindow) {
  const [pending] = await pendingSums(transaction, period, [kind]);
  if (pending === undefined) return null;
  // Added up once: the agents of each board are found first, and what they show is read after it.
  await rows(transaction)`
    create temp table kind_board_sums on commit drop as select * from ${sumsWith(pending, `${period}_`)} s`;
  const from = sql`kind_board_sums s where true`;
  const asked = KIND_BOARDS.filter((board) => board.period === period);
  const ordered = await orderedAgents(transaction, asked, { sums: from, places: PAGE_SIZES.leaderboard.max });
  const sums = await sumsOf(transaction, ordered, from);
  const boards = asked.map(({ orderBy, minRounds }) => {
    const found = ordered.find((one) => one.orderBy === orderBy && one.minRounds === minRounds);
    return { orderBy, minRounds, places: found === undefined ? [] : placesOf(sums, found, []) };
  });
  return { updatedAt: pending.asOf, boards };
}
