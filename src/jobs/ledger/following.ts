import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DB } from '../../entities/tables.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { WINDOWED_FOLLOW_UP } from './sum-tables.ts';
import { inCountingTransaction, lockFollowing } from './locks.ts';
import { move } from './move.ts';
import { ALL_TIME, isInWindow, movesBetween, resolvedRounds, windowBits } from './moves.ts';

/**
 * Moves each round into the windows that it lies in, and out of those that have moved on, in the sum tables that a
 * resolution does not wait for. Each round has its own transaction.
 */
export async function followRounds(newEm: () => SqlEntityManager, isStopped: () => boolean): Promise<void> {
  for (const due of await dueMoves(newEm())) {
    if (isStopped()) return;
    await inCountingTransaction(newEm, (transaction) => followRound(transaction, due));
  }
}

/** The oldest first. A round that counts for all time alone is due again if an amendment made an older round the newest. */
function dueMoves(em: SqlEntityManager) {
  const due = resolvedRounds(em)
    .where('r.kind_windows', '<>', windowBits())
    .select(['r.kind_windows as before', windowBits().as('after')]);
  // Not `or`, for which no index of rounds would do.
  return due
    .where((is) => is('r.kind_windows', '<>', is.lit(ALL_TIME)))
    .union(due.where(isInWindow('monthly')))
    .orderBy('id')
    .execute();
}

type DueMove = Awaited<ReturnType<typeof dueMoves>>[number];

/** Does nothing where another process has moved the round meanwhile. */
async function followRound(transaction: SqlEntityManager, { before, after, ...round }: DueMove): Promise<void> {
  await lockFollowing(transaction);
  const rounds = transaction.getKysely<DB>().updateTable('rounds').set({ kind_windows: after });
  const due = rounds.where((is) => is.and({ id: round.id, kind_windows: before, status: 'resolved' })).returning('id');
  if ((await due.execute()).length === 0) return;
  const moves = movesBetween([{ round, before, after }]);
  // The planner does not know yet how many predictions the round has.
  await withPlannerHint(transaction, 'hashJoins', async () => {
    for (const sumTable of WINDOWED_FOLLOW_UP) await move(transaction, sumTable, moves);
  });
}
