import { readConfig } from '../config.ts';
import { realNow, steadyMs } from '../clock.ts';
import { type CommandEnd, packageVersion, type Variables, withExitCodes } from '../command-line.ts';
import { onDatabase } from '../database/on-database.ts';
import { SECOND } from '../rules/hours.ts';
import { archiveMonth } from '../month-archive/archive-month.ts';
import { backUp, type BackupResult } from './backup.ts';
import type { Progress } from './manifest.ts';
import { restore } from './restore.ts';

type Command = (words: readonly string[], environment: Variables) => Promise<CommandEnd>;

/* The last argument of each command is a folder. The database is that of DATABASE_URL, or the embedded one of DATA_DIR. */

export const backupCommand = command(
  'backup FOLDER      writes the database into a new folder, also while the service runs',
  async ([folder = ''], environment) => {
    const options = { version: packageVersion(), now: realNow(), progress: reporting('Reading') };
    return done('Backed up', await onDatabase(readConfig(environment), (at) => backUp(at, folder, options)));
  },
);

export const restoreCommand = command(
  'restore FOLDER     restores a backup into an empty database without a running service',
  async ([folder = ''], environment) => {
    const place = { ...readConfig(environment), mayCreate: true };
    return done('Restored', await onDatabase(place, (at) => restore(at, folder, restoring())));
  },
);

export const archiveCommand = command(
  'archive 2026-10 FOLDER   writes a finished month into a new folder, also while the service runs; it may be dropped then',
  async ([month = '', folder = ''], environment) => {
    const options = { version: packageVersion(), now: realNow() };
    const place = { month, folder };
    const archived = await onDatabase(readConfig(environment), (at) => archiveMonth(at, place, options));
    const { first_round: first, last_round: last, files } = archived;
    const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
    return { code: 0, stdout: `Archived rounds ${first} to ${last} of ${month}, ${megabytes(bytes)}.\n` };
  },
  2,
);

/** 0: done, 1: refused or different, 2: wrong usage. */
export function command(usage: string, run: Command, count = 1): Command {
  const help = `npx hourcast ${usage}\n`;
  return withExitCodes(async (words, environment) => {
    if (words[0] === '--help' || words[0] === '-h') return { code: 0, stdout: help };
    if (words.length !== count || words.some((word) => word === '' || word.startsWith('-')))
      return { code: 2, stderr: help };
    return run(words, environment);
  });
}

export const restoring = () => ({ checking: reporting('Checking'), loading: reporting('Loading') });

function done(what: string, { manifest: { tables, takenAt, version }, leftOut }: BackupResult): CommandEnd {
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
