import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { ClientConfig } from 'pg';

import type { ProcessFigures } from './process-probe.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { snapshot } from '../support/snapshot.ts';

/** The service's figures at a moment of a soak. */
export interface SoakFigures extends ProcessFigures {
  readonly hour: number;
  /** Sessions of PostgreSQL in the service's database, without the one that asks. */
  readonly connections: number;
  /** Open sockets of the service's process. */
  readonly sockets: number;
}

const LOOK_AGAIN_MS = 10;
const TIMEOUT_MS = 30_000;
const MEGABYTE = 1024 * 1024;

/** Asks the process for its own figures, which it writes to `file`, and the system and the database for the others. */
export async function figuresOf(
  service: ServiceProcess,
  { file, connection, hour }: { file: string; connection: ClientConfig; hour: number },
): Promise<SoakFigures> {
  await rm(file, { force: true });
  service.signal('SIGUSR2');
  const own = await written(file);
  const sql = `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const [row] = await snapshot(connection, (ask) => ask<{ n: number }>(sql));
  return { ...own, hour, connections: row?.n ?? 0, sockets: await socketsOf(service.pid) };
}

/** One row of the table that a soak prints; the first is its head. */
export const FIGURES_HEAD = `| hour | RSS | heap | PostgreSQL connections | open sockets | event loop lag: mean | 99 % | most |
|---:|---:|---:|---:|---:|---:|---:|---:|`;

export function figuresRow(figures: SoakFigures): string {
  const { hour, rss, heap, connections, sockets, lagMeanMs, lagP99Ms, lagMaxMs } = figures;
  const lags = [lagMeanMs, lagP99Ms, lagMaxMs].map((ms) => `${ms.toFixed(1)} ms`);
  const sizes = [rss, heap].map((bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`);
  return `| ${[hour, ...sizes, connections, sockets, ...lags].join(' | ')} |`;
}

/** What may be added from the middle of a soak to its end; before the middle caches and pools fill. */
const GROWTH = {
  rss: { most: 64 * MEGABYTE, unit: 'bytes' },
  heap: { most: 16 * MEGABYTE, unit: 'bytes' },
  connections: { most: 4, unit: 'connections' },
  sockets: { most: 10, unit: 'sockets' },
} as const;

/** Whatever has grown by more than it may, in words. */
export function growthFaults(middle: SoakFigures, end: SoakFigures): readonly string[] {
  return (['rss', 'heap', 'connections', 'sockets'] as const).flatMap((name) => {
    const { most, unit } = GROWTH[name];
    const grown = end[name] - middle[name];
    return grown <= most
      ? []
      : [`${name} grows by ${grown} ${unit} from hour ${middle.hour} on; at most ${most} may be`];
  });
}

async function written(file: string): Promise<ProcessFigures> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text);
    if (performance.now() > deadline) throw new Error(`The service has not written its figures in ${TIMEOUT_MS} ms`);
    await delay(LOOK_AGAIN_MS);
  }
}

/** Linux alone tells; 0 elsewhere. */
async function socketsOf(pid: number | null): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith('socket:')).length;
}
