import { chmodSync, cpSync, statfsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { stopEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';

const SOCKET_FOLDER_LINE = 4;
const SOCKET_PORT = 5432;

/** More than a run's databases and log. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * In memory, if Linux has such a folder with enough room (containers often have 64 MB). A database has some hundred files, and
 * creating them on a disk can take more processor time than a suite's tests.
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

/** The variable with the run's prepared PostgreSQL, for jest's workers and `startTestCluster`. */
export const PREPARED_VARIABLE = 'HOURCAST_TEST_PREPARED';

/** The service's data folder, with its PostgreSQL. */
export interface DataFolder extends AsyncDisposable {
  readonly path: string;
  /** The process number of the folder's PostgreSQL. */
  postmaster(): Promise<number>;
  /** Null before the first start has made a database. */
  connection(): Promise<DatabaseConnection | null>;
}

/** The path need not exist yet. It is removed at the end, with the PostgreSQL of a killed service. */
export async function dataFolder(within = DATA_PARENT): Promise<DataFolder> {
  const parent = await openFolder('hourcast-data-', within);
  const path = join(parent, 'data');
  // PostgreSQL's pid file contains its socket's path.
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

/** With a migrated, empty database, which makes starts quicker. */
export async function preparedDataFolder(): Promise<DataFolder> {
  const folder = await dataFolder();
  await mkdir(folder.path);
  preparePostgres(folder.path);
  return folder;
}

/** Fills an empty data folder with the result of a first start. */
export function preparePostgres(dataDir: string): void {
  const prepared = process.env[PREPARED_VARIABLE];
  if (prepared === undefined) throw new Error(`${PREPARED_VARIABLE} is unset: jest's globalSetup has not run`);
  copyPostgres(prepared, join(dataDir, 'postgres'));
}

/** Copies a stopped server's folder. Synchronous: promises take ten times the processor time. */
export function copyPostgres(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  // PostgreSQL refuses a folder that others may enter.
  chmodSync(to, 0o700);
}

/** Accessible to every account: root runs PostgreSQL as another one. */
export async function openFolder(prefix: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  await chmod(folder, 0o755);
  return folder;
}
