import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { copyPostgres, DATA_PARENT, openFolder } from './data-folder.ts';

/** The test run's only PostgreSQL. */
export interface TestCluster {
  /** A migrated database without connections, so that it can be copied. */
  readonly template: DatabaseConnection;
  /** A stopped server's data folder with the same content, quicker to copy than to make. */
  readonly prepared: string;
  dispose(): Promise<void>;
}

const PREFIX = 'hourcast-test-';

/** Starts a server without durability in its own folder, with a migrated template. */
export async function startTestCluster(): Promise<TestCluster> {
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
    return { template: postgres.connection, prepared, dispose };
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
