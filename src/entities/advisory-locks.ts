import type { SqlEntityManager } from '@mikro-orm/postgresql';

/** Keys of the service among PostgreSQL's advisory locks: any fixed numbers. */
export const ADVISORY_LOCKS = {
  /** One process opens, closes and stores rounds. */
  cycle: 48_601,
  /** One resolution or amendment at a time: each builds on the totals of the one before. */
  resolutions: 48_602,
  /** Counting after decisions shares it; an amendment holds it alone. */
  counting: 48_603,
  /** One process makes the tables of coming months. */
  months: 48_604,
  /** One registration at a time: ids are visible in their order, so pages of agents miss none. */
  registrations: 48_605,
  /** One process starts at a time. */
  starts: 48_611,
  /** Each process without Redis shares it. */
  alone: 48_612,
  /** One process writes the events of unanswered rounds. */
  unanswered: 48_623,
} as const;

/** Waits for a lock, which ends with the transaction. A shared one waits only for a holder that does not share it. */
export async function lockUntilCommit(
  transaction: SqlEntityManager,
  lock: keyof typeof ADVISORY_LOCKS,
  { isShared = false } = {},
): Promise<void> {
  const call = isShared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  const tables = transaction.getKysely();
  await tables.selectNoFrom((of) => of.fn(call, [of.lit(ADVISORY_LOCKS[lock])]).as('locked')).execute();
}
