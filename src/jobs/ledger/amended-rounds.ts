import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { rows } from '../../reads/sql.ts';
import { PERIODS } from '../../rules/windows.ts';
import { tallyDay, untallyDay } from './daily-tallies.ts';
import { moveField } from './field-tallies.ts';
import { takeOutOfKinds } from './kinds.ts';
import { standingsAmended, sumsOfRounds, type TierChange } from './standing-statements.ts';
import { renewStandings } from './standings.ts';
import { windowed } from './window-moves.ts';

/** The rounds that an amendment moves. */
export interface AmendedRounds {
  readonly amended: number;
  /** The rounds whose scores change, the amended one among them. */
  readonly rescored: readonly number[];
  /** Whether the amended round has an outcome afterwards. */
  readonly counts: boolean;
}

/**
 * Takes rounds out of everything that adds up scores, before an amendment changes these or the windows; returns how they
 * enter it again as they are then, and whose tier has changed by it. Sums by kind follow after the amendment, as after a resolution.
 */
export async function leaveLedger(
  transaction: SqlEntityManager,
  { amended, rescored, counts }: AmendedRounds,
): Promise<(streaks: RawBuilder<unknown>) => Promise<readonly TierChange[]>> {
  const moved = [...rescored, ...(await movedBy(transaction, amended, counts))];
  await rows(transaction)`create temp table amended_sums on commit drop as ${sumsOfRounds(moved)}`;
  await moveField(transaction, moved, -1);
  if (await isTallied(transaction, amended)) await untallyDay(transaction, amended);
  await takeOutOfKinds(transaction, rescored);
  return async (streaks) => {
    const amendment = { before: sql`amended_sums`, streaks };
    await rows(
      transaction,
    )`create temp table amended_standings on commit drop as ${standingsAmended(moved, amendment)}`;
    const tierChanges = await renewStandings(transaction, sql`select * from amended_standings`);
    await moveField(transaction, moved, 1);
    if (await isTallied(transaction, amended)) await tallyDay(transaction, amended);
    await takeOutOfKinds(transaction, await enteredAgain(transaction));
    return tierChanges;
  };
}

/** Whether a round is in the tallies of its day, or belongs there: one that is not counted yet enters them later. */
async function isTallied(transaction: SqlEntityManager, roundId: number): Promise<boolean> {
  const found = await rows(transaction)`
    select from rounds where id = ${roundId} and status = 'resolved' and counted_at is not null`;
  return found.length > 0;
}

/** Rounds that had left all windows but that of all time, and lie in another again now that an older round is the newest. */
async function enteredAgain(transaction: SqlEntityManager): Promise<readonly number[]> {
  const found = await rows<{ id: number }>(transaction)`
    select r.id from rounds r cross join platform p
    where r.status = 'resolved' and r.kind_windows = ${1 << (PERIODS.length - 1)}::int and ${windowed('monthly')}`;
  return found.map(({ id }) => id);
}

/** The other rounds that enter a window or leave it where the amended one counts as resolved from now on, or no more. */
async function movedBy(transaction: SqlEntityManager, id: number, counts: boolean): Promise<readonly number[]> {
  const moves = PERIODS.map(
    (period) => sql`${windowed(period)} is distinct from ${windowed(period, sql`n.newest_end`)}`,
  );
  const found = await rows<{ id: number }>(transaction)`
    select r.id from rounds r cross join platform p cross join (
      select max(end_time) as newest_end from rounds where case id when ${id} then ${counts} else status = 'resolved' end
    ) n where r.status = 'resolved' and r.id <> ${id} and (${sql.join(moves, sql` or `)})`;
  return found.map((one) => one.id);
}
