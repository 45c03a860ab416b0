import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type DatabaseConnection, withClient } from '../src/database/connection.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { addHours, MINUTE } from '../src/rules/hours.ts';
import { dataFolder } from '../test/support/data-folder.ts';
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
  /** The service's own process alone. */
  readonly pid: number;
  /** The processes of PostgreSQL, those that have come and gone left out. */
  readonly databasePids: () => readonly number[];
  /** Milliseconds until it answered. */
  readonly startMs: number;
}

export interface ServiceOptions {
  /** The folder of the service that is measured. */
  readonly service: string;
  readonly history: History;
  /** Where a CPU profile goes; unset: none is taken. */
  readonly profile?: string | undefined;
  /** Beside what the bench itself sets. */
  readonly settings?: Settings;
}

const run = promisify(execFile);
const LOCAL = '127.0.0.1';
/** The hour that runs has just begun, and a bench is over before it ends. */
const INTO_THE_HOUR_MS = 2 * MINUTE;

/** Starts the service on a copy of the history. */
export async function measuredService({
  service,
  history,
  profile,
  settings,
}: ServiceOptions): Promise<MeasuredService> {
  await using stack = new AsyncDisposableStack();
  // On a disk, whose writes are a part of what is measured.
  const folder = stack.use(await dataFolder(tmpdir()));
  await run('cp', ['-a', await historyFolder(history), folder.path]);
  await setClock(folder.path, history);
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
  // Ended gently it writes its profile, and its PostgreSQL stops; also where this process ends before its bench does.
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
    history,
    pid,
    startMs,
    databasePids: () => withChildren(postmaster),
    pids: () => [pid],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Lets the hour after the history's last one run from now on, whenever the history was made. */
async function setClock(dataDir: string, history: History): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const at = new Date(addHours(HISTORY_START, hoursOf(history)).getTime() + INTO_THE_HOUR_MS);
    const set = 'update platform set clock_real_at = now(), clock_service_at = $1, clock_speed = 1';
    await withClient(postgres.connection, (client) => client.query(set, [at]));
  } finally {
    await postgres.stop();
  }
}

/** The round that is running. */
export async function runningRound(url: string): Promise<{ readonly id: number; readonly choices: readonly string[] }> {
  const { text } = await timedRequest({ url: `${url}/api/rounds/current`, from: LOCAL });
  const { round }: { round: { id: number; choices: string[] } | null } = JSON.parse(text);
  if (round === null) throw new Error('There is no running round');
  return round;
}

/** The ids of the newest rounds that are decided. */
export async function decidedRounds(url: string, count: number): Promise<readonly number[]> {
  const { text } = await timedRequest({ url: `${url}/api/rounds/recent?limit=${count}`, from: LOCAL });
  const { rounds }: { rounds: { id: number; status: string }[] } = JSON.parse(text);
  return rounds.filter(({ status }) => status === 'resolved').map(({ id }) => id);
}
