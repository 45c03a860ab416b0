import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type DatabaseConnection, withClient } from '../src/database/connection.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { addHours, MINUTE } from '../src/rules/hours.ts';
import { type DataFolder, dataFolder } from '../test/support/data-folder.ts';
import { launch, type Settings } from '../test/support/process.ts';
import { historyFolder } from './history.ts';
import { type History, HISTORY_START, hoursOf } from './history-shapes.ts';
import type { Target } from './load.ts';
import { withChildren } from './processor-time.ts';
import { timedRequest } from './timed-request.ts';

/** The real service as `npm start` runs it, on its embedded PostgreSQL, with simulated prices and without limits. */
export interface MeasuredService extends Target, AsyncDisposable {
  readonly connection: DatabaseConnection;
  readonly history: History;
  /** Without PostgreSQL's processes. */
  readonly pid: number;
  /** Without those that have ended. */
  readonly databasePids: () => readonly number[];
  /** Milliseconds until the first answer. */
  readonly startMs: number;
}

export interface ServiceOptions {
  /** The measured service's folder. */
  readonly service: string;
  readonly history: History;
  /** The folder of a CPU profile; unset: none. */
  readonly profile?: string | undefined;
  /** Added to the bench's own. */
  readonly settings?: Settings | undefined;
  /** Milliseconds from now to the running hour's end; default: almost the hour. */
  readonly beforeHourMs?: number;
}

const run = promisify(execFile);
const LOCAL = '127.0.0.1';
/** The hour has just begun, and the bench ends within it. */
const BEFORE_HOUR_MS = 58 * MINUTE;

/** Runs on a copy of the history. */
export async function measuredService({
  service,
  history,
  profile,
  settings,
  beforeHourMs = BEFORE_HOUR_MS,
}: ServiceOptions): Promise<MeasuredService> {
  await using stack = new AsyncDisposableStack();
  // On a disk, since writes are part of the measurement.
  const folder = stack.use(await dataFolder(tmpdir()));
  await run('cp', ['-a', await historyFolder(history), folder.path]);
  const at = new Date(addHours(HISTORY_START, hoursOf(history) + 1).getTime() - beforeHourMs);
  await setClock(folder.path, at);
  const running = stack.use(await serviceIn(folder, { service, settings, profile }));
  const kept = stack.move();
  return { ...running, history, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Runs on a data folder as it is. */
export async function serviceIn(
  folder: DataFolder,
  { service, profile, settings }: Pick<ServiceOptions, 'service' | 'profile' | 'settings'>,
): Promise<Omit<MeasuredService, 'history'>> {
  await using stack = new AsyncDisposableStack();
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const began = performance.now();
  const running = stack.use(
    await launch({ DATA_DIR: folder.path, ...settings }, [
      process.execPath,
      ...profiling,
      join(service, 'bin/hourcast.js'),
    ]),
  );
  const startMs = performance.now() - began;
  // On SIGTERM it writes its profile and stops PostgreSQL, also when this process ends early.
  const end = (): void => void running.child.kill('SIGTERM');
  process.once('exit', end);
  stack.defer(async () => {
    process.off('exit', end);
    await running.end('SIGTERM');
  });
  const connection = await folder.connection();
  const { pid } = running.child;
  if (connection === null || pid === undefined) throw new Error('The service has no database or has ended');
  const postmaster = await folder.postmaster();
  const kept = stack.move();
  return {
    url: running.url,
    connection,
    pid,
    startMs,
    databasePids: () => withChildren(postmaster),
    pids: () => [pid],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The service's time is `at` now. */
export async function setClock(dataDir: string, at: Date): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const set = 'update platform set clock_real_at = now(), clock_service_at = $1, clock_speed = 1';
    await withClient(postgres.connection, (client) => client.query(set, [at]));
  } finally {
    await postgres.stop();
  }
}

export async function runningRound(url: string): Promise<{ readonly id: number; readonly choices: readonly string[] }> {
  const { status, text } = await timedRequest({ url: `${url}/api/rounds/current`, from: LOCAL });
  if (status !== 200) throw new Error(`The running round is answered ${String(status)}: ${text}`);
  const { round }: { round: { id: number; choices: string[] } | null } = JSON.parse(text);
  if (round === null) throw new Error('There is no running round');
  return round;
}

export async function decidedRounds(url: string, count: number): Promise<readonly number[]> {
  const { text } = await timedRequest({ url: `${url}/api/rounds/recent?limit=${count}`, from: LOCAL });
  const { rounds }: { rounds: { id: number; status: string }[] } = JSON.parse(text);
  return rounds.filter(({ status }) => status === 'resolved').map(({ id }) => id);
}
