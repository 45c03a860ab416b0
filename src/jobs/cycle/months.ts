import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, sql } from 'kysely';

import { codeOf, LOCK_NOT_AVAILABLE } from '../../database/failures.ts';
import { lockUntilCommit } from '../../entities/advisory-locks.ts';
import { hourOf } from '../../rules/hours.ts';

const MAKE_MONTHS = expressionBuilder().fn<boolean>('make_months', []);

/** The longest wait for a table lock, in real milliseconds: later statements wait behind it. */
const LOCK_MS = 300;

/**
 * Makes the tables of this and the next month (entities/month.ts) where they are missing: once an hour. A lock that
 * others hold is left for the next call. Safe to run twice, also in many processes at once.
 */
export function monthMaker(newEm: () => SqlEntityManager): (now: Date) => Promise<void> {
  let checked = 0;
  return async (now) => {
    const hour = hourOf(now).getTime();
    if (hour === checked) return;
    try {
      while (!(await newEm().transactional(nextStep)));
    } catch (error) {
      if (codeOf(error) === LOCK_NOT_AVAILABLE) return;
      throw error;
    }
    checked = hour;
  };
}

/** True if nothing is left to do. */
async function nextStep(transaction: SqlEntityManager): Promise<boolean> {
  await lockUntilCommit(transaction, 'months');
  const database = transaction.getKysely();
  await sql.raw(`set local lock_timeout = ${LOCK_MS}; set local statement_timeout = 0`).execute(database);
  const { isDone } = await database.selectNoFrom(MAKE_MONTHS.as('isDone')).executeTakeFirstOrThrow();
  return isDone;
}
