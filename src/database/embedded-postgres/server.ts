import { hash } from 'node:crypto';
import { chown, lstat, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type DatabaseConnection, withClient } from '../connection.ts';
import { giveCluster } from './cluster.ts';
import { reason } from '../failures.ts';
import { PLANNING } from '../session.ts';
import { findPostmaster, pidFile, removeStaleLock } from './postmaster.ts';
import { type Programs, run, type Runner } from './runner.ts';
import { StartError } from '../../rules/errors.ts';
import { SECOND } from '../../rules/hours.ts';

interface ServerOptions {
  /** PostgreSQL's complete data folder. */
  readonly cluster: string;
  readonly programs: Programs;
  readonly runner: Runner;
  readonly durable: boolean;
  readonly noMore?: AbortSignal | undefined;
}

const START_SECONDS = 120;
const POLL_MS = 20;
const PORT = 5432;
const LOG_EXCERPT = 2000;
const LOG_FILE = 'postgres.log';
// The maximum of a socket path: 107 bytes on Linux and 103 on macOS, with `/.s.PGSQL.5432`.
const LONGEST_SOCKET_FOLDER = 85;

// A unix socket only: no port to clash, no password to store. Other settings are PostgreSQL's defaults.
const SETTINGS = {
  listen_addresses: '',
  shared_buffers: '128MB',
  ...PLANNING,
  max_connections: '100',
  max_wal_senders: '0',
  wal_level: 'minimal',
  log_checkpoints: 'off',
  // Callers can make statements fail: the log must not repeat them whole.
  log_min_error_statement: 'panic',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
/**
 * The first change of a page after a checkpoint logs the whole page, so checkpoints are rare. After a crash at most
 * that much log is replayed. PostgreSQL's own buffers hold the pages in use.
 */
const durableSettings = () => ({
  shared_buffers: `${sharedBuffersMb(memoryBytes())}MB`,
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  // Compresses whole pages. This build has no lz4.
  wal_compression: 'pglz',
});
const THROWAWAY_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Several services with pools of their own share it.
  max_connections: '300',
};

/** A quarter of the memory in bytes, from 128 MB to 1 GB, in whole MB. */
export function sharedBuffersMb(bytes: number): number {
  return Math.max(128, Math.min(1024, Math.floor(bytes / 4 / 1024 ** 2)));
}

/** The memory limit: a container's, if below the machine's memory. */
function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

/** The maintenance database of a server that answers on `socketFolder`. */
export const maintenance = (socketFolder: string) =>
  ({ host: socketFolder, port: PORT, user: 'postgres', database: 'postgres' }) as const satisfies DatabaseConnection;

/**
 * A server on the data folder that responds to queries: the running one (left by a killed process), or a new one. Waits
 * while it starts, recovers or stops. Throws a `StartError` with the end of PostgreSQL's log.
 */
export async function ensureServer(options: ServerOptions): Promise<{ socketFolder: string; adopted: boolean }> {
  const deadline = performance.now() + START_SECONDS * SECOND;
  let adopted = true;
  let last = 'no answer';
  while (performance.now() < deadline && !options.noMore?.aborted) {
    const running = await findPostmaster(options.cluster);
    if (running) {
      const problem = await probe(running.socketFolder);
      if (problem === undefined) return { socketFolder: running.socketFolder, adopted };
      last = problem;
    } else {
      adopted = false;
      if (await launch(options)) continue;
      last = 'processes of a killed server are still ending';
    }
    await delay(POLL_MS);
  }
  throw new StartError(`PostgreSQL on ${options.cluster} is not ready after ${START_SECONDS} s: ${last}`);
}

/** A real query: after a crash PostgreSQL's status may report "running" for a dead server. */
async function probe(socketFolder: string): Promise<string | undefined> {
  try {
    await withClient(maintenance(socketFolder), (client) => client.query('select 1'));
    return undefined;
  } catch (error) {
    return reason(error);
  }
}

/** False while a killed server's last processes hold its memory. */
async function launch({ cluster, programs, runner, durable }: ServerOptions): Promise<boolean> {
  await giveCluster(cluster, runner);
  const settings = { ...SETTINGS, ...(durable ? durableSettings() : THROWAWAY_SETTINGS) };
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const command = [programs.pgCtl, 'start', '-w', '-s', '-l', LOG_FILE, '-t', String(START_SECONDS), '-o'];
  const log = join(cluster, LOG_FILE);
  await keepSmall(log);
  const logged = await lengthOf(log);
  const socketFolder = await makeSocketFolder(cluster, runner);
  await removeStaleLock(pidFile(cluster));
  await removeStaleLock(join(socketFolder, `.s.PGSQL.${PORT}.lock`));
  try {
    // pg_ctl would pass a path unquoted to a shell, so it goes by variable and working folder.
    const shellOptions = ['-p', PORT, '-k', quote(socketFolder), ...flags].join(' ');
    await run(runner, [...command, shellOptions], { cwd: cluster, environment: { PGDATA: cluster } });
    return true;
  } catch (cause) {
    if (await findPostmaster(cluster)) return true;
    const written = await writtenSince(log, logged);
    if (written.includes('pre-existing shared memory block')) return false;
    const why = written.trim().slice(-LOG_EXCERPT) || reason(cause);
    throw new StartError(`PostgreSQL does not start on ${cluster}: ${why}`, { cause });
  }
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The socket folder of `cluster`: short, and the same after a restart. */
export function socketFolderOf(cluster: string): string {
  const name = `hourcast-${hash('sha256', cluster).slice(0, 8)}`;
  const folder = join(tmpdir(), name);
  return Buffer.byteLength(folder) <= LONGEST_SOCKET_FOLDER ? folder : join('/tmp', name);
}

/** Access to the folder is access to the database, so a folder of another owner is never used. */
async function makeSocketFolder(cluster: string, { owner }: Runner): Promise<string> {
  const folder = socketFolderOf(cluster);
  const user = owner?.uid ?? process.getuid?.();
  const found = await lstat(folder).catch(() => undefined);
  // A good folder stays: a concurrent start may have its socket in it.
  if (found?.isDirectory() && found.uid === user && (found.mode & 0o77) === 0) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  if (owner) await chown(folder, owner.uid, owner.gid);
  return folder;
}

/** A longer log is rotated at the start of the server. */
const LONGEST_LOG = 8 * 1024 * 1024;

/** Rotates a long log; at most two files remain. */
async function keepSmall(log: string): Promise<void> {
  if ((await lengthOf(log)) > LONGEST_LOG) await rename(log, `${log}.old`);
}

/** 0 without a log. */
async function lengthOf(log: string): Promise<number> {
  return stat(log).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The log after the first `length` bytes; empty without a log. */
async function writtenSince(log: string, length: number): Promise<string> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0));
  return bytes.toString('utf8', length);
}
