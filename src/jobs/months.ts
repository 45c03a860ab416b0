import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, sql } from 'kysely';

import { codeOf, LOCK_NOT_AVAILABLE } from '../database/failures.ts';
import { lockUntilCommit } from '../entities/advisory-locks.ts';
import type { DB } from '../entities/tables.ts';
import { hourOf } from '../rules/hours.ts';
import { storeKindSums } from './ledger/kind-sums.ts';
import { ALL_TIME, isInWindow } from './ledger/moves.ts';
import { ANSWERS, streaksAfter } from './ledger/standing-statements.ts';
import type { ResolutionDeps } from './resolve/resolve-round.ts';

export interface MonthDeps extends Pick<ResolutionDeps, 'newEm' | 'log'> {
  /** The number of finished months that stay, if archives have the others; unset: all. */
  readonly keepMonths?: number | undefined;
}

/** The longest wait for a table lock, in real milliseconds: later statements wait behind it. */
const LOCK_MS = 300;

/**
 * Makes the tables of this and the next month (entities/month.ts) where they are missing, and drops archived months that
 * need not stay: once an hour. A lock that others hold is left for the next call. Safe to run twice, also in many processes
 * at once.
 */
export function monthTurner({ newEm, log, keepMonths }: MonthDeps): (now: Date) => Promise<void> {
  let [checked, waiting, warned] = [0, 0, ''];
  const drop = async (now: Date, kept: number): Promise<void> => {
    const month = await oldestDue(newEm(), now, kept);
    if (month === null) return;
    const { name } = month;
    if (month.archivedAt === null) {
      if (warned !== name)
        log.warn({ month: name }, 'Month older than KEEP_MONTHS is not archived and stays; run npx hourcast archive');
      warned = name;
      return;
    }
    await storeKindSums(newEm, () => false, 0);
    const isDropped = await newEm().transactional((transaction) => dropMonth(transaction, month, now));
    if (isDropped) log.info({ month: name }, 'Month dropped');
    await drop(now, kept);
  };
  return async (now) => {
    const hour = hourOf(now).getTime();
    if (hour === checked) return;
    try {
      while (!(await newEm().transactional(nextStep)));
      if (keepMonths !== undefined) await drop(now, keepMonths);
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (waiting !== 0 && waiting !== hour) log.warn({}, 'Month tables are locked by another session; retrying later');
      waiting = hour;
      return;
    }
    [checked, waiting] = [hour, 0];
  };
}

const db = expressionBuilder<DB>();
const MAKE_MONTHS = db.fn<boolean>('make_months', []);

/** True if nothing is left to do. */
async function nextStep(transaction: SqlEntityManager): Promise<boolean> {
  await lockMonths(transaction);
  const database = transaction.getKysely();
  const { isDone } = await database.selectNoFrom(MAKE_MONTHS.as('isDone')).executeTakeFirstOrThrow();
  return isDone;
}

async function lockMonths(transaction: SqlEntityManager): Promise<void> {
  await lockUntilCommit(transaction, 'months');
  const settings = sql.raw(`set local lock_timeout = ${LOCK_MS}; set local statement_timeout = 0`);
  await settings.execute(transaction.getKysely());
}

type OldMonth = NonNullable<Awaited<ReturnType<typeof oldestDue>>>;

/**
 * The oldest month in the database, if it need not stay: it lies before the months to keep and before the longest window,
 * and every sum has its rounds.
 */
async function oldestDue(em: SqlEntityManager, now: Date, keepMonths: number) {
  const tables = em.getKysely<DB>();
  const month = await tables
    .selectFrom('months')
    .select(['month as name', 'first_round', 'until_round', 'archived_at as archivedAt'])
    .where('dropped_at', 'is', null)
    .orderBy('month')
    .limit(1)
    .executeTakeFirst();
  if (month === undefined) return null;
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keepMonths));
  const { isDue } = await tables
    .selectFrom('rounds as r')
    .innerJoin('platform as p', (on) => on.on('p.id', '=', 1))
    .select((of) => {
      const isOld = of.and([of('r.end_time', '<=', since), of.not(isInWindow('monthly'))]);
      const isInSums = of.or([of('r.status', '<>', sql.lit('resolved')), of('r.kind_windows', '=', ALL_TIME)]);
      const isDone = of.and([isOld, isInSums, of('r.counted_at', 'is not', null)]);
      return of.fn.coalesce(of.fn.agg<boolean>('bool_and', [isDone]), sql.lit(true)).as('isDue');
    })
    .where('r.id', '>=', month.first_round)
    .where('r.id', '<', month.until_round)
    .executeTakeFirstOrThrow();
  return isDue ? month : null;
}

/** False if another process has dropped it meanwhile. */
async function dropMonth(transaction: SqlEntityManager, month: OldMonth, now: Date): Promise<boolean> {
  await lockMonths(transaction);
  const tables = transaction.getKysely<DB>();
  const left = tables
    .selectFrom('months')
    .select('month')
    .where('month', '=', month.name)
    .where('dropped_at', 'is', null);
  if ((await left.execute()).length === 0) return false;
  await carryStreaks(transaction, month);
  const dropped = db.fn('drop_month', [db.val(month.name), db.val(now)]).as('dropped');
  await tables.selectNoFrom(dropped).execute();
  return true;
}

/**
 * Keeps the streaks at the end of the month: amendments of later rounds, which wait for the lock, count on from them. Rounds
 * at the border that were decided in another order count in that of the months.
 */
async function carryStreaks(transaction: SqlEntityManager, month: OldMonth): Promise<void> {
  const answers = ANSWERS.where('s.round_id', '>=', month.first_round).where('s.round_id', '<', month.until_round);
  const tables = transaction.getKysely<DB>();
  await tables
    .insertInto('carried_streaks')
    .columns(['agent_id', 'streak', 'best'])
    .expression(tables.selectFrom(streaksAfter(answers).as('s')).select(['agent_id', 'current', 's.best']))
    .onConflict((stored) =>
      stored.column('agent_id').doUpdateSet((of) => ({
        streak: of.ref('excluded.streak'),
        best: of.fn<number>('greatest', ['carried_streaks.best', 'excluded.best']),
      })),
    )
    .execute();
}
