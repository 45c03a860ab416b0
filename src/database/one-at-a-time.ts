import type { Client } from 'pg';

import { type DatabaseConnection, withClient } from './connection.ts';
import { codeOf } from './failures.ts';
import type { Logger } from '../logger.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';

export interface TurnOptions {
  readonly connection: DatabaseConnection;
  readonly log: Pick<Logger, 'warn'>;
  /** Ends the waiting for others: what is thrown then is its reason. */
  readonly signal: AbortSignal;
}

/** Any fixed number: it names the making of a database among PostgreSQL's advisory locks. */
const MAKING_LOCK = 48_611;

/** After so long in silence the operator is told what is waited for. */
const UNREMARKABLE_MS = SECOND;
/** How long one look for the lock takes at the most: between two a signal is heard. */
const LOCK_MS = SECOND;
const REMINDER_MS = MINUTE;
/** The database has stopped answering when a look takes longer. */
const ANSWER_MS = 5 * SECOND;

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Does what a first start makes in the database, one process after the other: processes that are started together would
 * make everything twice. A database that says nothing is given up after 5 s; another process is waited for.
 */
export async function oneAtATime<Result>(options: TurnOptions, work: () => Promise<Result>): Promise<Result> {
  const { connection, log } = options;
  const remark = setTimeout(() => log.warn('Waiting for the database to answer'), UNREMARKABLE_MS);
  const inTurn = async (client: Client): Promise<Result> => {
    clearTimeout(remark);
    await client.query(`set lock_timeout = ${LOCK_MS}`);
    await takeTurn(client, options);
    return work();
  };
  // A connection that is cut ends the turn; the work has connections of its own.
  return withClient(connection, inTurn, { query_timeout: ANSWER_MS }).finally(() => clearTimeout(remark));
}

async function takeTurn(client: Client, { log, signal }: TurnOptions): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    signal.throwIfAborted();
    try {
      await client.query('select pg_advisory_lock($1)', [MAKING_LOCK]);
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (looks % (REMINDER_MS / LOCK_MS) === 0) {
        log.warn({ session: await holder(client) }, 'Waiting for another process that starts on this database');
      }
    }
  }
}

/** The process number of the session at the database that has the turn; null when it has just ended. */
async function holder(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [MAKING_LOCK],
  );
  return rows[0]?.pid ?? null;
}
