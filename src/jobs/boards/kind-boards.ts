import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { PAGE_SIZES } from '../../limits.ts';
import { rows } from '../../reads/sql.ts';
import { KIND_BOARDS } from '../../rules/kinds.ts';
import { dueMoves, type KindWindow, moveRound, unnested } from '../ledger/kinds.ts';
import { counting } from '../ledger/locks.ts';
import { orderedAgents, sumsOf } from './ordered-board-statements.ts';
import { type FollowingDeps, placesOf } from './ordered-boards.ts';

/**
 * Counts resolved rounds by question type, by asset, by lead time and by model: each enters the windows that it lies in and leaves them when
 * they have moved on, once, since the round says in which windows it is counted. Then makes the boards of the kinds whose sums have moved.
 */
export async function countKinds({ newEm, isStopped }: FollowingDeps): Promise<void> {
  const [state] = await rows<{ updatedAt: Date }>(newEm())`
    select boards_updated_at as "updatedAt" from platform where id = 1`;
  for (const move of await dueMoves(newEm())) {
    if (isStopped()) return;
    await newEm().transactional((transaction) => counting(transaction, () => moveRound(transaction, move)));
  }
  const due = await rows<KindWindow>(newEm())`
    select kind, period from kind_states where moved > made order by kind, period`;
  for (const one of due) {
    if (isStopped()) return;
    await newEm().transactional((transaction) => makeBoards(transaction, one));
  }
  await rows(newEm())`
    update platform set kinds_updated_at = ${state?.updatedAt}
    where id = 1 and kinds_updated_at is distinct from ${state?.updatedAt}`;
}

/** Makes a kind's boards in a window in which its sums have moved; nobody moves them there meanwhile. */
async function makeBoards(transaction: SqlEntityManager, { kind, period }: KindWindow): Promise<void> {
  const moved = await rows(transaction)`
    update kind_states set made = moved where kind = ${kind} and period = ${period} and made < moved returning kind`;
  if (moved.length === 0) return;
  const lists = sql`select ${unnested(`${period}_`)} from kind_sums where kind = ${kind} and period = ${period}`;
  const from = sql`(${lists}) s where true`;
  const asked = KIND_BOARDS.filter((board) => board.period === period);
  const boards = await orderedAgents(transaction, asked, { sums: from, places: PAGE_SIZES.leaderboard.max });
  const sums = await sumsOf(transaction, boards, from);
  const made = boards.map((board) => ({ ...board, places: placesOf(sums, board, []) }));
  await rows(transaction)`delete from kind_boards where kind = ${kind} and period = ${period}`;
  await rows(transaction)`
    insert into kind_boards (kind, period, order_by, min_rounds, places)
    select ${kind}, b.period, b."orderBy", b."minRounds", b.places
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as b(period text, "orderBy" text, "minRounds" int, places jsonb)`;
}
