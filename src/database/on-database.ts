import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type DatabaseConnection, parseDatabaseUrl, withClient } from './connection.ts';
import { runningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { refuseUnusable } from './failures.ts';
import { StartError } from '../rules/errors.ts';

interface DatabaseLocation {
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
  /** Creates a missing embedded database; default: a `StartError`. */
  readonly mayCreate?: boolean;
}

/**
 * Runs `work` on the database of the settings. An embedded one is used beside its running service, or started. Throws a
 * `StartError` if it cannot be reached.
 */
export async function onDatabase<Result>(
  { databaseUrl, dataDir, mayCreate = false }: DatabaseLocation,
  work: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== undefined) {
    const connection = parseDatabaseUrl(databaseUrl);
    await withClient(connection, () => Promise.resolve()).catch(refuseUnusable);
    return work(connection);
  }
  const running = await runningPostgres(await realpath(dataDir).catch(() => dataDir));
  if (running !== null) return work(running);
  if (!mayCreate && (await stat(join(dataDir, 'postgres')).catch(() => null)) === null)
    throw new StartError(`There is no database in the folder of DATA_DIR (${dataDir}); the first start makes one.`);
  return onEmbedded(dataDir, work);
}

/** Runs `work` on the embedded database of a folder without a running service, and stops it. */
export async function onEmbedded<Result>(
  dataDir: string,
  work: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    return await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}
