import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { lockUntilCommit } from '../../entities/advisory-locks.ts';
import type { DB } from '../../entities/tables.ts';
import { interval } from '../../reads/fragments.ts';
import { rows } from '../../reads/sql.ts';

/** Counts for decided rounds in one transaction, while no round is amended. */
export async function inCountingTransaction(
  newEm: () => SqlEntityManager,
  count: (transaction: SqlEntityManager) => Promise<void>,
): Promise<void> {
  await newEm().transactional(async (transaction) => {
    await lockUntilCommit(transaction, 'counting', { isShared: true });
    await count(transaction);
  });
}

/** A locked round, with the state that its decision builds on. */
export type LockedRound = NonNullable<Awaited<ReturnType<typeof lockRound>>>;

/**
 * Locks a round's row; null when there is none. Resolutions run one at a time, since each builds on the totals of the one
 * before. `decidedAt` is `now`, or just after the previous resolution if that is later: streaks follow these times.
 */
export async function lockRound(transaction: SqlEntityManager, roundId: number, now: Date) {
  await lockUntilCommit(transaction, 'resolutions');
  const tables = transaction.getKysely<DB>().selectFrom(['rounds as r', 'platform as p']).where('r.id', '=', roundId);
  const round = tables
    .select(['r.status', 'r.total_entries as entries', 'p.newest_resolved_end as newestResolvedEnd'])
    .select((of) => {
      const times = [of.cast<Date>(of.val(now), 'timestamptz'), of('p.boards_updated_at', '+', interval(1))];
      return of.fn<Date>('greatest', times).as('decidedAt');
    });
  return (await round.forUpdate('r').executeTakeFirst()) ?? null;
}

/** Locks the sums of follow-up work: one transaction at a time changes them. */
export async function lockFollowing(transaction: SqlEntityManager): Promise<void> {
  await lockTables(transaction, 'model_sums');
}

/** Blocks other writers of these tables until the transaction ends. */
export async function lockTables(transaction: SqlEntityManager, ...tables: readonly (keyof DB)[]): Promise<void> {
  await rows(transaction)`lock table ${sql.raw(tables.join(', '))} in share row exclusive mode`;
}
