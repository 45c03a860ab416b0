import { setTimeout as delay } from 'node:timers/promises';

import { BEFORE_FIRST_SCHEMA } from '../entities/migrations/first-schema.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { DEADLOCK, hasCode, LOCK_NOT_AVAILABLE } from './failures.ts';
import type { DatabaseConnection } from './connection.ts';
import { openOrm } from './orm.ts';

interface MigrateOptions {
  /** Called at each wait for another session's lock. */
  readonly warn?: (message: string) => void;
  /** Aborts the wait for locks; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** The last migration to run; default: all. */
  readonly upTo?: string;
}

/**
 * The timeout of a table lock, in real milliseconds: a waiting migration blocks all later statements. Three waits are
 * shorter than PostgreSQL's `deadlock_timeout` of 1 s, after which a statement of the service could be aborted.
 */
const LOCK_MS = 0.3 * SECOND;
/** The pause in which blocked statements proceed. */
const PAUSE_MS = 3 * SECOND;

/**
 * Migrates the schema to this version. If another session holds a lock, such as a long export, it yields and tries
 * again. Throws a `StartError` before any write for a database of a version before 0.3.0, or a newer one.
 */
export async function migrate(address: DatabaseConnection, { warn, signal, upTo }: MigrateOptions = {}): Promise<void> {
  const orm = await openOrm(address, 1);
  try {
    while (!(await hasMigrated(orm, upTo))) {
      warn?.('Waiting for a lock on a table to bring the database’s schema up to date; trying again');
      await delay(PAUSE_MS, undefined, { signal });
    }
  } finally {
    await orm.close(true);
  }
}

/** False on a lock timeout; earlier migrations stay. The pool's one connection keeps the setting. */
async function hasMigrated(orm: Awaited<ReturnType<typeof openOrm>>, upTo?: string): Promise<boolean> {
  try {
    await orm.em.getConnection().execute(`set lock_timeout = ${LOCK_MS}`);
    refuseOtherVersions((await orm.migrator.getExecuted()).map(({ name }) => name));
    await orm.migrator.up(upTo === undefined ? {} : { to: upTo });
    return true;
  } catch (error) {
    if (hasCode(error, LOCK_NOT_AVAILABLE, DEADLOCK)) return false;
    throw error;
  }
}

/**
 * Throws a `StartError` unless the executed migrations are of this version, or of an earlier one from 0.3.0 on. A newer
 * version has all of this one's, and others after them.
 */
export function refuseOtherVersions(executed: readonly string[]): void {
  const unknown = executed.filter((name) => MIGRATIONS.every((migration) => migration.name !== name));
  const newer = unknown.filter((name) => !BEFORE_FIRST_SCHEMA.includes(name));
  if (newer.length > 0 && MIGRATIONS.every(({ name }) => executed.includes(name))) {
    throw new StartError(
      'The database is of a newer version than this program: start that version. It has these additional ' +
        `migrations: ${newer.join(', ')}.`,
    );
  }
  const hasFirst = executed.length > unknown.length;
  const isWhole = unknown.length === 0 || (hasFirst && String(unknown) === String(BEFORE_FIRST_SCHEMA));
  if (isWhole) return;
  throw new StartError(
    'The database is of a version before 0.3.0, which cannot be upgraded: use another database (DATABASE_URL) or ' +
      'folder (DATA_DIR); this one was not changed.',
  );
}
