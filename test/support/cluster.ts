import { readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { copyPostgres, openFolder } from './data-folder.ts';

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

/** Of Linux: a folder in memory. A suite's database is some hundred files, and to make them on a disk takes most of its processor time. */
const IN_MEMORY = '/dev/shm';
/** More than the databases and the log of a run take. */
const MEMORY_BYTES = 2 * 1024 ** 3;

/** Starts a server without durability in a folder of its own, and migrates the template in it. */
export async function startTestCluster(): Promise<TestCluster> {
  const parent = (await isRoomy(IN_MEMORY)) ? IN_MEMORY : tmpdir();
  await removeAbandonedClusters(parent);
  const folder = await openFolder(`${PREFIX}${process.pid}-`, parent);
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

/** Containers often have 64 MB there. */
async function isRoomy(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MEMORY_BYTES;
}

/** A killed run leaves its server behind; the next one clears up. */
async function removeAbandonedClusters(parent: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    const pid = entry.startsWith(PREFIX) ? Number.parseInt(entry.slice(PREFIX.length), 10) : NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const folder = join(parent, entry);
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
