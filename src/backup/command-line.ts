import { readConfig } from '../config.ts';
import { realNow, steadyMs } from '../clock.ts';
import { type CommandEnd, packageVersion, type Variables } from '../command-line.ts';
import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { type BackedUp, backUp } from './backup.ts';
import { onDatabase } from './database.ts';
import type { Progress } from './manifest.ts';
import { rehearse } from './rehearse.ts';
import { restore } from './restore.ts';

type Command = (words: readonly string[], environment: Variables) => Promise<CommandEnd>;

/* Each command has a backup's folder as its argument. The database is that of DATABASE_URL, or the embedded one of DATA_DIR. */

export const backupCommand = command(
  'backup FOLDER      writes the database into a new folder, also while the service runs',
  async (folder, environment) => {
    const options = { version: packageVersion(), now: realNow(), progress: reporting('Reading') };
    return done('Backed up', await onDatabase(readConfig(environment), (at) => backUp(at, folder, options)));
  },
);

export const restoreCommand = command(
  'restore FOLDER     restores a backup into an empty database without a running service',
  async (folder, environment) =>
    done('Restored', await onDatabase(readConfig(environment), (at) => restore(at, folder, restoring()))),
);

export const rehearseCommand = command(
  'rehearse FOLDER    restores a backup into a temporary database, starts the service on it, runs `npm run verify` and removes it',
  async (folder, environment) =>
    (await rehearse(folder, environment, restoring()))
      ? { code: 0, stdout: 'The backup can be restored, and verification found no differences.\n' }
      : { code: 1, stderr: 'The backup can be restored, but verification found the differences above.\n' },
);

/** 0: done, 1: refused or different, 2: wrong usage. */
function command(usage: string, run: (folder: string, environment: Variables) => Promise<CommandEnd>): Command {
  const help = `npx hourcast ${usage}\n`;
  return async ([folder = '', ...more], environment) => {
    if (folder === '--help' || folder === '-h') return { code: 0, stdout: help };
    if (folder === '' || folder.startsWith('-') || more.length > 0) return { code: 2, stderr: help };
    try {
      return await run(folder, environment);
    } catch (error) {
      if (error instanceof StartError) return { code: 1, stderr: `${error.message}\n` };
      throw error;
    }
  };
}

const restoring = () => ({ checking: reporting('Checking'), loading: reporting('Loading') });

function done(what: string, { manifest: { tables, takenAt, version }, leftOut }: BackedUp): CommandEnd {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const others =
    leftOut.length === 0 ? '' : `Not included, since the service did not create it: ${leftOut.join(', ')}.\n`;
  return {
    code: 0,
    stdout: `${what} ${rows} rows of ${tables.length} tables, ${megabytes(bytes)}, as of ${takenAt}, by version ${version}.\n${others}`,
  };
}

/** Reports progress on standard error once a second. */
function reporting(what: string): Progress {
  let saidAt = steadyMs();
  return (table, bytes) => {
    const now = steadyMs();
    if (now - saidAt < SECOND) return;
    saidAt = now;
    process.stderr.write(`${what} ${table}: ${megabytes(bytes)}\n`);
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
