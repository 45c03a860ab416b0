import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { SetupError } from '../setup-error.ts';
import { reason } from './failure.ts';
import { USE_ANOTHER_DATABASE, type Programs } from './programs.ts';

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

export interface RunOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
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
    ...runner.account,
  });
}

/**
 * The first way to run PostgreSQL that works here, tried out on its programs and on the `folders` it must reach.
 * Throws a `SetupError` that says what to do when none does.
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
  throw new SetupError(
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
  throw new SetupError(
    'PostgreSQL refuses to run as root, and this system has neither an account `postgres` nor `nobody` to run it: ' +
      `start the service as an ordinary user, or ${USE_ANOTHER_DATABASE}`,
  );
}
