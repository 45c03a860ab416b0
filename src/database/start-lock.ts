import type { Client } from 'pg';

import { ADVISORY_LOCKS } from '../entities/advisory-locks.ts';
import { type DatabaseConnection, withClient } from './connection.ts';
import { codeOf, LOCK_NOT_AVAILABLE } from './failures.ts';
import type { Logger } from '../logger.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';

export interface StartLockOptions {
  readonly connection: DatabaseConnection;
  readonly log: Pick<Logger, 'warn'>;
  /** Ends the wait for the lock; its reason is thrown. */
  readonly signal: AbortSignal;
}

/** A wait longer than this is logged. */
const UNLOGGED_MS = SECOND;
/** One attempt at the lock takes no longer; between two attempts `signal` is checked. */
const LOCK_MS = SECOND;
const REMINDER_MS = MINUTE;
/** An attempt that takes longer means that the database does not respond. */
const ATTEMPT_MS = 5 * SECOND;

/**
 * Runs `work` while no other starting process of this database does: processes started together would otherwise create
 * everything twice. Waits for another process as long as it takes; gives up a database that sends nothing for 5 s.
 */
export async function withStartLock<Result>(options: StartLockOptions, work: () => Promise<Result>): Promise<Result> {
  const { connection, log } = options;
  const remark = setTimeout(() => log.warn('Waiting for the database to answer'), UNLOGGED_MS);
  const withLock = async (client: Client): Promise<Result> => {
    clearTimeout(remark);
    await client.query(`set lock_timeout = ${LOCK_MS}`);
    await takeLock(client, options);
    return work();
  };
  // A lost connection releases the lock; the work has connections of its own.
  return withClient(connection, withLock, { query_timeout: ATTEMPT_MS }).finally(() => clearTimeout(remark));
}

async function takeLock(client: Client, { log, signal }: StartLockOptions): Promise<void> {
  for (let attempts = 0; ; attempts += 1) {
    signal.throwIfAborted();
    try {
      await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.starts]);
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (attempts % (REMINDER_MS / LOCK_MS) === 0) {
        log.warn({ session: await holder(client) }, 'Waiting for another process that starts on this database');
      }
    }
  }
}

/** The process number of the session that holds the lock; null when it has just ended. */
async function holder(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [ADVISORY_LOCKS.starts],
  );
  return rows[0]?.pid ?? null;
}
