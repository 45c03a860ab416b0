import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, sql } from 'kysely';

import { codeOf, LOCK_NOT_AVAILABLE } from '../database/failures.ts';
import { lockUntilCommit } from '../entities/advisory-locks.ts';
import type { DB } from '../entities/tables.ts';
import { hourOf } from '../rules/hours.ts';
import { ANSWERS, streaksAfter } from './ledger/standing-statements.ts';
import type { RoundLog } from './resolve/resolve-round.ts';

interface MonthDeps {
  readonly newEm: () => SqlEntityManager;
  readonly log: RoundLog;
  /** The number of finished months that stay; unset: all. */
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
  let [checked, warned] = [0, ''];
  const drop = async (now: Date, kept: number): Promise<void> => {
    const month = await newEm().transactional((transaction) => dropOldest(transaction, now, kept));
    if (month === null) return;
    if (month.isDropped) {
      log.info({ month: month.name }, 'Month dropped');
      return drop(now, kept);
    }
    if (warned !== month.name)
      log.warn({ month: month.name }, 'Month older than KEEP_MONTHS stays: no `npx hourcast archive` has it');
    warned = month.name;
  };
  return async (now) => {
    const hour = hourOf(now).getTime();
    if (hour === checked) return;
    try {
      while (!(await newEm().transactional(nextStep)));
      if (keepMonths !== undefined) await drop(now, keepMonths);
    } catch (error) {
      if (codeOf(error) === LOCK_NOT_AVAILABLE) return;
      throw error;
    }
    checked = hour;
  };
}

const db = expressionBuilder<DB>();
const MAKE_MONTHS = db.fn<boolean>('make_months', []);

/** True if nothing is left to do. */
async function nextStep(transaction: SqlEntityManager): Promise<boolean> {
  await lockTables(transaction);
  const database = transaction.getKysely();
  const { isDone } = await database.selectNoFrom(MAKE_MONTHS.as('isDone')).executeTakeFirstOrThrow();
  return isDone;
}

async function lockTables(transaction: SqlEntityManager): Promise<void> {
  await lockUntilCommit(transaction, 'months');
  const settings = sql.raw(`set local lock_timeout = ${LOCK_MS}; set local statement_timeout = 0`);
  await settings.execute(transaction.getKysely());
}

/** The oldest month in the database, if it need not stay. One without an archive is not dropped. */
async function dropOldest(transaction: SqlEntityManager, now: Date, keepMonths: number) {
  await lockTables(transaction);
  const tables = transaction.getKysely<DB>();
  const month = await tables
    .selectFrom('months')
    .select(['month as name', 'first_round as first', 'until_round as until', 'archived_at as archivedAt'])
    .where('dropped_at', 'is', null)
    .orderBy('month')
    .limit(1)
    .executeTakeFirst();
  if (month === undefined) return null;
  const before = tables.selectFrom('rounds').where('id', '<', month.until).orderBy('id', 'desc').limit(1);
  const last = await before.select('end_time as endTime').executeTakeFirst();
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keepMonths));
  if (last === undefined || last.endTime > since) return null;
  const { name, first, until, archivedAt } = month;
  if (archivedAt === null) return { name, isDropped: false };
  await carryStreaks(transaction, { first, until });
  await tables.selectNoFrom(db.fn('drop_month', [db.val(name), db.val(now)]).as('dropped')).execute();
  return { name, isDropped: true };
}

/**
 * Keeps the streaks at the end of the month: amendments of later rounds, which wait for the lock, count on from them. Rounds
 * at the border that were decided in another order count in that of the months.
 */
async function carryStreaks(transaction: SqlEntityManager, { first, until }: { first: number; until: number }) {
  const answers = ANSWERS.where('s.round_id', '>=', first).where('s.round_id', '<', until);
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
