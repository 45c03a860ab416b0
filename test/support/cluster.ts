import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { copyPostgres, DATA_PARENT, openFolder, PREPARED_VARIABLE } from './data-folder.ts';
import { TEMPLATE_VARIABLE } from './database.ts';

const PREFIX = 'hourcast-test-';

/**
 * Starts the run's only PostgreSQL, without durability in its own folder. This process and its children copy databases from a
 * migrated template without connections, and data folders from a stopped server's, which is quicker than to make one.
 */
export async function startTestCluster(): Promise<AsyncDisposable> {
  await removeAbandonedClusters();
  const folder = await openFolder(`${PREFIX}${process.pid}-`, DATA_PARENT);
  const start = () => startEmbeddedPostgres({ dataDir: folder, durable: false });
  let postgres = await start();
  const dispose = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await migrate(postgres.connection);
    await postgres.stop();
    const prepared = join(folder, 'prepared');
    copyPostgres(join(folder, 'postgres'), prepared);
    postgres = await start();
    process.env[TEMPLATE_VARIABLE] = JSON.stringify(postgres.connection);
    process.env[PREPARED_VARIABLE] = prepared;
    return { [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A killed run leaves its server; the next one removes it. */
async function removeAbandonedClusters(): Promise<void> {
  for (const entry of await readdir(DATA_PARENT)) {
    const pid = entry.startsWith(PREFIX) ? Number.parseInt(entry.slice(PREFIX.length), 10) : NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const folder = join(DATA_PARENT, entry);
    // Another account's files are left to that account.
    await stopEmbeddedPostgres(folder)
      .then(() => rm(folder, { recursive: true, force: true }))
      .catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
