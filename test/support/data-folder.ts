import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { stopEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';

const SOCKET_FOLDER_LINE = 4;
const SOCKET_PORT = 5432;

/** Where the service keeps its data, and its PostgreSQL. */
export interface DataFolder extends AsyncDisposable {
  readonly path: string;
  /** The process number of the PostgreSQL that runs on it. */
  postmaster(): Promise<number>;
  /** The database, or null while there is none that could be asked: before the first start has made one. */
  connection(): Promise<DatabaseConnection | null>;
}

/** A folder of the test's own, which need not exist yet. It goes at the end, with the PostgreSQL that a killed service left on it. */
export async function dataFolder(): Promise<DataFolder> {
  const parent = await openFolder('hourcast-data-');
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

/** A new folder that every account may enter: PostgreSQL refuses to run as root, which therefore runs it as another. */
export async function openFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
}
