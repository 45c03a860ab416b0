import { setTimeout as delay } from 'node:timers/promises';

import { BEFORE_FIRST_SCHEMA } from '../entities/migrations/first-schema.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { codeOf, DEADLOCK, LOCK_NOT_AVAILABLE } from './failures.ts';
import type { DatabaseConnection } from './connection.ts';
import { openOrm } from './orm.ts';

interface MigrateOptions {
  /** Takes a sentence each time that somebody's lock is in the way. */
  readonly warn?: (message: string) => void;
  /** Ends the waiting for locks: what is thrown then is its reason. */
  readonly signal?: AbortSignal;
  /** The name of the last migration to make; unset: all. */
  readonly upTo?: string;
}

/**
 * Whoever waits for a table's lock holds up all who come later: so long a migration may do so, in real milliseconds. Three
 * such waits take less than PostgreSQL's `deadlock_timeout` of 1 s, after which it could end a statement of the service's.
 */
const LOCK_MS = 0.3 * SECOND;
/** Meanwhile all who were held up have their turn. */
const PAUSE_MS = 3 * SECOND;

const IN_THE_WAY = new Set([LOCK_NOT_AVAILABLE, DEADLOCK]);

/**
 * Brings the database's schema up to date; does nothing when it is. Where somebody holds a lock on what it changes, such
 * as a long export, it gives way and tries again. Throws a `StartError`, before anything is written, where the database is
 * of a version before 0.3.0.
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

/** False where a migration would have had to wait too long: those before it stay. The pool's one connection keeps the limit. */
async function hasMigrated(orm: Awaited<ReturnType<typeof openOrm>>, upTo?: string): Promise<boolean> {
  try {
    await orm.em.getConnection().execute(`set lock_timeout = ${LOCK_MS}`);
    refuseOlder((await orm.migrator.getExecuted()).map(({ name }) => name));
    await orm.migrator.up(upTo === undefined ? {} : { to: upTo });
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

/** Throws a `StartError` unless a database has no migration yet, or the first schema: its own one, or in as many steps as version 0.3.0 made it. */
export function refuseOlder(executed: readonly string[]): void {
  const steps = executed.filter((name) => MIGRATIONS.every((migration) => migration.name !== name));
  const hasFirst = executed.length > steps.length;
  const isWhole = steps.length === 0 || (hasFirst && String(steps) === String(BEFORE_FIRST_SCHEMA));
  if (isWhole) return;
  throw new StartError(
    'The database is of a version before 0.3.0, which cannot be upgraded: use another database (DATABASE_URL) or ' +
      'folder (DATA_DIR); this one was not changed.',
  );
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && (IN_THE_WAY.has(codeOf(error)) || isLocked(error.cause));
}
