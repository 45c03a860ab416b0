import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { codeOf } from '../failures.ts';
import { StartError } from '../../rules/errors.ts';
import { MINUTE } from '../../rules/hours.ts';

/** PostgreSQL's main process on a data folder. */
interface Postmaster {
  readonly pid: number;
  readonly socketFolder: string;
  readonly isStopping: boolean;
}

const execute = promisify(execFile);
const SOCKET_FOLDER_LINE = 4;
const STATUS_LINE = 7;
const STOP_MS = MINUTE;

export const pidFile = (cluster: string) => join(cluster, 'postmaster.pid');

/** The server that runs on `cluster`, ready or not; undefined for a stale pid file. */
export const findPostmaster = (cluster: string): Promise<Postmaster | undefined> => holderOf(pidFile(cluster));

/**
 * Removes a stale lock file of PostgreSQL. After a crash or a reboot its process id may belong to another program.
 * PostgreSQL only checks that the process exists, and would not start.
 */
export async function removeStaleLock(lockFile: string): Promise<void> {
  const judged = await contents(lockFile);
  if (judged === '' || (await holderOf(lockFile))) return;
  // A concurrent start may have written a fresh file, which must stay.
  if ((await contents(lockFile)) === judged) await rm(lockFile, { force: true });
}

/** The pid file and the socket's lock file have the same format. */
async function holderOf(lockFile: string): Promise<Postmaster | undefined> {
  const lines = (await contents(lockFile)).split('\n');
  const postmaster = {
    pid: Number(lines[0]),
    socketFolder: lines[SOCKET_FOLDER_LINE]?.trim() ?? '',
    isStopping: lines[STATUS_LINE]?.trim() === 'stopping',
  };
  return (await isRunning(postmaster)) ? postmaster : undefined;
}

const contents = (path: string) => readFile(path, 'utf8').catch(() => '');

/**
 * Stops the server on `cluster` and waits for its process; does nothing if none runs. Connections are cut, commits
 * kept. After a minute it stops as in a crash, which keeps commits too.
 */
export async function stopPostmaster(cluster: string): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (!postmaster) return;
  // The signals of `pg_ctl stop -m fast` and `-m immediate`, which need no switch of account.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!kill(postmaster.pid, signal)) return;
    if (await hasEnded(postmaster)) return;
  }
  throw new StartError(`PostgreSQL (process ${postmaster.pid}) on ${cluster} does not stop`);
}

/**
 * Cuts the connections of a server that somebody stops by SIGTERM. It refuses new connections and waits for the end of
 * the others, which a service keeps.
 */
export async function hastenStop(cluster: string): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster?.isStopping) kill(postmaster.pid, 'SIGINT');
}

async function hasEnded(postmaster: Postmaster): Promise<boolean> {
  const deadline = performance.now() + STOP_MS;
  while (performance.now() < deadline) {
    if (!(await isRunning(postmaster))) return true;
    await delay(10);
  }
  return false;
}

function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}

/** A live process counts only if it is a PostgreSQL with the same socket folder. */
async function isRunning({ pid, socketFolder }: Postmaster): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const command = await commandLine(pid);
  return /(^|\/)postgres /.test(command) && command.includes(socketFolder);
}

/** Empty without such a process, or for a zombie. */
async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    return (await execute('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
  } catch {
    return '';
  }
}
