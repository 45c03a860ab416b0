import { realpath } from 'node:fs/promises';

import { type DatabaseConnection, parseDatabaseUrl } from '../database/connection.ts';
import { runningPostgres, startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import type { Config } from '../config.ts';

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/**
 * Does `work` on the database of the settings. The embedded one is read beside a service that runs on it, and is started where
 * none does.
 */
export async function onDatabase<Result>(
  { databaseUrl, dataDir }: Place,
  work: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== undefined) return work(parseDatabaseUrl(databaseUrl));
  const running = await runningPostgres(await realpath(dataDir).catch(() => dataDir));
  return running === null ? onEmbedded(dataDir, work) : work(running);
}

/** Does `work` on the embedded database of a folder that no service runs on, and stops it again. */
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
