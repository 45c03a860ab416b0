import { chown, lchown, mkdir, opendir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import { codeOf, reason } from '../failures.ts';
import { type Account, type Programs, run, type Runner } from './runner.ts';
import { StartError } from '../../rules/errors.ts';

// UTF-8 order without the system's locales: the same sort order on every machine.
const INITDB = [
  '--username=postgres',
  '--auth-local=trust',
  '--auth-host=scram-sha-256',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--encoding=UTF8',
];

interface ClusterOptions {
  readonly programs: Programs;
  readonly runner: Runner;
  /** True: files are flushed before use. */
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The owner of the data folder; undefined if it does not exist. */
export async function clusterOwner(cluster: string): Promise<Account | undefined> {
  const found = await stat(cluster).catch(() => undefined);
  return found && { uid: found.uid, gid: found.gid };
}

/**
 * Creates the data folder if missing. It gets its name only when complete, so that a killed or concurrent start leaves
 * nothing partial.
 */
export async function ensureCluster(
  cluster: string,
  { programs, runner, durable, signal }: ClusterOptions,
): Promise<void> {
  await removeAbandoned(cluster);
  if (await clusterOwner(cluster)) return;
  const draft = `${cluster}.new-${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (runner.owner) await chown(draft, runner.owner.uid, runner.owner.gid);
  try {
    const options = durable ? INITDB : [...INITDB, '--no-sync'];
    await run(runner, [programs.initdb, ...options, `--pgdata=${draft}`], { cwd: '/', signal });
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw new StartError(`PostgreSQL could not make its data folder ${cluster}: ${reason(cause)}`, { cause });
  }
  await rename(draft, cluster).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    // A concurrent start was faster.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
  });
}

/** Changes the owner to the server's account; only while the server is down. */
export async function giveCluster(cluster: string, { owner }: Runner): Promise<void> {
  const current = await clusterOwner(cluster);
  if (owner) {
    if (current?.uid === owner.uid) return;
    for (const entry of await readdir(cluster, { recursive: true })) {
      await lchown(join(cluster, entry), owner.uid, owner.gid);
    }
    await chown(cluster, owner.uid, owner.gid);
  } else if (current && process.getuid && current.uid !== process.getuid()) {
    throw new StartError(
      `The data folder ${cluster} belongs to another account (number ${current.uid}): ` +
        'start the service as that account or as root, or give this one a folder of its own with DATA_DIR',
    );
  }
}

/** Unfinished folders of dead processes. */
async function removeAbandoned(cluster: string): Promise<void> {
  const folder = dirname(cluster);
  const prefix = `${basename(cluster)}.new-`;
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(prefix) || isAlive(Number(entry.slice(prefix.length)))) continue;
    await rm(join(folder, entry), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Creates the folder and its parents. Returns its real path. */
export async function makeFolder(folder: string): Promise<string> {
  await make(resolve(folder));
  const place = await realpath(folder);
  // Fails for a file in its place.
  await (await opendir(place)).close();
  return place;
}

/** Runs `work` on the data folder. Throws a `StartError` if the system denies access. */
export async function refusingFolder<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause && 'path' in cause)) throw cause;
    throw new StartError(
      `The data folder ${dataDir} cannot be used (${reason(cause)}): set DATA_DIR to a folder that this account may make ` +
        'and write',
      { cause },
    );
  }
}

/** Not `recursive`, which loops forever in folders such as /proc. */
async function make(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    const parent = dirname(folder);
    if (codeOf(error) !== 'ENOENT' || parent === folder) throw error;
    await make(parent);
    await mkdir(folder).catch((again: unknown) => {
      // A concurrent start was faster.
      if (codeOf(again) !== 'EEXIST') throw again;
    });
  }
}
