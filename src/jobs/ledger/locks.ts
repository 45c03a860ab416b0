import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { rows } from '../../reads/sql.ts';
import type { RoundStatus } from '../../rules/round-states.ts';

/** Any fixed number: it names resolution among PostgreSQL's advisory locks. */
const RESOLUTION_LOCK = 48_602;

/** The same of what is counted after decisions: those who count have it together, who amends a round has it alone. */
const COUNTING_LOCK = 48_603;

/** A round as it is once its row is locked, and what its decision builds on. */
export interface LockedRound {
  readonly status: RoundStatus;
  readonly entries: number;
  readonly newestResolvedEnd: Date | null;
  readonly decidedAt: Date;
}

/** Waits until no resolution is under way, and lets none in before the transaction ends. */
export async function lockResolutions(transaction: SqlEntityManager): Promise<void> {
  await rows(transaction)`select pg_advisory_xact_lock(${RESOLUTION_LOCK})`;
}

/** Counts what decisions have left while no round is amended. */
export async function counting<Result>(transaction: SqlEntityManager, count: () => Promise<Result>): Promise<Result> {
  await rows(transaction)`select pg_advisory_xact_lock_shared(${COUNTING_LOCK})`;
  return count();
}

/** Waits until nobody counts, and lets nobody begin before the transaction ends. */
export async function lockCounting(transaction: SqlEntityManager): Promise<void> {
  await rows(transaction)`select pg_advisory_xact_lock(${COUNTING_LOCK})`;
}

/**
 * Lets one resolution in at a time, since each builds on the totals that the one before left, and locks the round.
 * `decidedAt` is `now`, or later where `now` was read before the resolution that comes first: the rounds' times show
 * the order in which streaks and totals followed. Null when there is no such round.
 */
export async function lockRound(
  transaction: SqlEntityManager,
  roundId: number,
  now: Date,
): Promise<LockedRound | null> {
  await lockResolutions(transaction);
  const [found] = await rows<LockedRound>(transaction)`
    select r.status, r.total_entries as entries, p.newest_resolved_end as "newestResolvedEnd",
      greatest(${now}::timestamptz, p.boards_updated_at + interval '1 millisecond') as "decidedAt"
    from rounds r cross join platform p where r.id = ${roundId} for update of r`;
  return found ?? null;
}

/** Lets one transaction at a time move what is added up after resolutions. */
export async function lockFollowing(transaction: SqlEntityManager): Promise<void> {
  await rows(transaction)`lock table model_sums in share row exclusive mode`;
}
