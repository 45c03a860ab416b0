import { parseDatabaseUrl, type DatabaseConnection } from '../../src/database/connection.ts';
import { dataFolder } from './data-folder.ts';
import type { Settings } from './process.ts';
import { type ServiceProcess, serviceProcess, type Uptime } from './service-process.ts';

/** Processes of the service on one database: an embedded one in their folder, or that of DATABASE_URL. */
export interface Deployment extends AsyncDisposable {
  readonly processes: readonly ServiceProcess[];
  /** The first process, by default the only one. */
  readonly first: ServiceProcess;
  /** Addresses of the processes that serve requests. */
  readonly urls: readonly string[];
  /** Null before the first start has made a database. */
  connection(): Promise<DatabaseConnection | null>;
  /** Times with at least one answering process. */
  uptimes(): readonly Uptime[];
  /** Starts all of them in sequence: the first one creates the tables. */
  start(): Promise<void>;
}

/** Shared by tests under faults: simulated prices, no limits, and a fast clock from a fixed hour. */
const COMMON: Settings = { MARKET: 'simulated', CLOCK_START: '2026-01-01T00:10:00Z' };

export async function started(...rows: Parameters<typeof deployment>): Promise<Deployment> {
  const made = await deployment(...rows);
  await made.start();
  return made;
}

/** Not started yet: a process for each row, which is added to `settings`. A row with `ROLE=worker` serves no requests. */
export async function deployment(settings: Settings, rows: readonly Settings[] = [{}]): Promise<Deployment> {
  const folder = await dataFolder();
  const processes = await Promise.all(
    rows.map((row) => serviceProcess({ ...COMMON, DATA_DIR: folder.path, ...settings, ...row })),
  );
  const [first] = processes;
  if (first === undefined) throw new Error('A deployment has at least one process');
  const url = settings['DATABASE_URL'];
  return {
    processes,
    first,
    urls: processes.filter((_, index) => rows[index]?.['ROLE'] !== 'worker').map((process) => process.url),
    connection: async () => (url === undefined ? folder.connection() : parseDatabaseUrl(url)),
    uptimes: () => processes.flatMap(({ uptimes }) => uptimes),
    async start() {
      for (const process of processes) await process.start();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((process) => process.end('SIGKILL')));
      await folder[Symbol.asyncDispose]();
    },
  };
}
