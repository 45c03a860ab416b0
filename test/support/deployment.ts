import { parseDatabaseUrl, type DatabaseConnection } from '../../src/database/connection.ts';
import { dataFolder } from './data-folder.ts';
import type { Settings } from './process.ts';
import { type ServiceProcess, serviceProcess, type Uptime } from './service-process.ts';

/** Processes of the service that share one database: an embedded one in a folder of their own, or that of DATABASE_URL. */
export interface Deployment extends AsyncDisposable {
  readonly processes: readonly ServiceProcess[];
  /** The first process, which is the only one unless more were asked for. */
  readonly first: ServiceProcess;
  /** Where the processes that serve requests answer. */
  readonly urls: readonly string[];
  /** The database, or null while there is none that could be asked: before the first start has made one. */
  connection(): Promise<DatabaseConnection | null>;
  /** When at least one process answered. */
  uptimes(): readonly Uptime[];
  /** Starts all of them, one after the other: the first makes the tables. */
  start(): Promise<void>;
}

/** What is alike in every test under faults: simulated prices, no limits, and a fast clock from a fixed hour. */
const COMMON: Settings = { MARKET: 'simulated', CLOCK_START: '2026-01-01T00:10:00Z' };

/** A deployment that runs. */
export async function started(...rows: Parameters<typeof deployment>): Promise<Deployment> {
  const made = await deployment(...rows);
  await made.start();
  return made;
}

/**
 * A deployment that is not started yet: a process for each row, which holds what it has beside `settings`. With
 * `ROLE=worker` a row serves no requests.
 */
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
