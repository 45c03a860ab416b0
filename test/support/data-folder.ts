import { chmodSync, cpSync, statfsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { stopEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';

const SOCKET_FOLDER_LINE = 4;
const SOCKET_PORT = 5432;

/** More than the databases and the log of a run take. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Where databases of tests lie: in memory, where Linux has such a folder and it is roomy (containers often have 64 MB). A database is some
 * hundred files, and on a disk to make them can take a suite more processor time than all its tests.
 */
export const DATA_PARENT = isRoomy('/dev/shm') ? '/dev/shm' : tmpdir();

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** How the run's prepared PostgreSQL reaches jest's workers. */
export const PREPARED_VARIABLE = 'HOURCAST_TEST_PREPARED';

/** Where the service keeps its data, and its PostgreSQL. */
export interface DataFolder extends AsyncDisposable {
  readonly path: string;
  /** The process number of the PostgreSQL that runs on it. */
  postmaster(): Promise<number>;
  /** The database, or null while there is none that could be asked: before the first start has made one. */
  connection(): Promise<DatabaseConnection | null>;
}

/** A folder of the test's own, which need not exist yet. It goes at the end, with the PostgreSQL that a killed service left on it. */
export async function dataFolder(within = DATA_PARENT): Promise<DataFolder> {
  const parent = await openFolder('hourcast-data-', within);
  const path = join(parent, 'data');
  // PostgreSQL's own pid file tells where its socket is.
  const pidFile = (): Promise<string> => readFile(join(path, 'postgres', 'postmaster.pid'), 'utf8');
  return {
    path,
    postmaster: async () => Number.parseInt(await pidFile(), 10),
    async connection() {
      const lines = await pidFile().catch(() => '');
      const host = lines.split('\n')[SOCKET_FOLDER_LINE]?.trim();
      return host ? { host, port: SOCKET_PORT, user: 'postgres', database: 'hourcast' } : null;
    },
    async [Symbol.asyncDispose]() {
      await stopEmbeddedPostgres(path);
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** The same with a migrated, empty database in it: a service starts on it more quickly than where it has to make one. */
export async function preparedDataFolder(): Promise<DataFolder> {
  const folder = await dataFolder();
  await mkdir(folder.path);
  preparePostgres(folder.path);
  return folder;
}

/** Puts what a first start makes into an empty data folder. */
export function preparePostgres(dataDir: string): void {
  const prepared = process.env[PREPARED_VARIABLE];
  if (prepared === undefined) throw new Error(`${PREPARED_VARIABLE} is unset: jest's globalSetup has not run`);
  copyPostgres(prepared, join(dataDir, 'postgres'));
}

/** Copies PostgreSQL's own folder, of a server that is down. Without promises: they take ten times the processor. */
export function copyPostgres(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  // PostgreSQL refuses one that others may enter.
  chmodSync(to, 0o700);
}

/** A new folder that every account may enter: PostgreSQL refuses to run as root, which therefore runs it as another. */
export async function openFolder(prefix: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  await chmod(folder, 0o755);
  return folder;
}
