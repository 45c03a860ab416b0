import { realpath } from 'node:fs/promises';

import { type DatabaseConnection, parseDatabaseUrl, withClient } from './connection.ts';
import { runningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { refuseUnusable } from './failures.ts';

interface DatabaseLocation {
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
}

/**
 * Runs `work` on the database of the settings. An embedded one is used beside its running service, or started. Throws a
 * `StartError` if it cannot be reached.
 */
export async function onDatabase<Result>(
  { databaseUrl, dataDir }: DatabaseLocation,
  work: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== undefined) {
    const connection = parseDatabaseUrl(databaseUrl);
    await withClient(connection, () => Promise.resolve()).catch(refuseUnusable);
    return work(connection);
  }
  const running = await runningPostgres(await realpath(dataDir).catch(() => dataDir));
  return running === null ? onEmbedded(dataDir, work) : work(running);
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
