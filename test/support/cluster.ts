import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { copyPostgres, DATA_PARENT, openFolder } from './data-folder.ts';

/** The one PostgreSQL of a test run. */
export interface TestCluster {
  /** A migrated database that nobody connects to, so that it can be copied. */
  readonly template: DatabaseConnection;
  /** PostgreSQL's own folder with the same in it, of a server that is down: quicker copied than made. */
  readonly prepared: string;
  /** Stops the server and removes its files. */
  dispose(): Promise<void>;
}

const PREFIX = 'hourcast-test-';

/** Starts a server without durability in a folder of its own, and migrates the template in it. */
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

/** A killed run leaves its server behind; the next one clears up. */
async function removeAbandonedClusters(): Promise<void> {
  for (const entry of await readdir(DATA_PARENT)) {
    const pid = entry.startsWith(PREFIX) ? Number.parseInt(entry.slice(PREFIX.length), 10) : NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const folder = join(DATA_PARENT, entry);
    // Another account's rubbish is for that account to remove.
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
