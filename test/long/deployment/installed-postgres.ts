import { chown, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../../src/database/connection.ts';
import { stopPostmaster } from '../../../src/database/embedded-postgres/postmaster.ts';
import { chooseRunner, run } from '../../../src/database/embedded-postgres/runner.ts';
import { openFolder } from '../../support/data-folder.ts';

/** What tells that the system has a PostgreSQL server, whose own programs are in no search path. */
export const SERVER_INSTALLED = 'pg_createcluster';

const VERSIONS = '/usr/lib/postgresql';
const PORT = 5432;

/** A server of the system's PostgreSQL, whose version its dump programs have too: these cannot read a newer one. */
export async function installedPostgres(): Promise<AsyncDisposable & { readonly connection: DatabaseConnection }> {
  const newest = (await readdir(VERSIONS)).toSorted((left, right) => Number(left) - Number(right)).at(-1) ?? '';
  const program = (name: string): string => join(VERSIONS, newest, 'bin', name);
  const programs = { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
  await using stack = new AsyncDisposableStack();
  const folder = await openFolder(`hourcast-test-${process.pid}-`);
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const runner = await chooseRunner(programs, [folder]);
  const [cluster, sockets] = [join(folder, 'postgres'), join(folder, 's')];
  for (const made of [cluster, sockets]) {
    await mkdir(made);
    if (runner.owner) await chown(made, runner.owner.uid, runner.owner.gid);
  }
  const options = { cwd: cluster, environment: { PGDATA: cluster } };
  await run(runner, [programs.initdb, '--no-sync', '-U', 'postgres', '-A', 'trust'], options);
  const settings = `-p ${PORT} -k "${sockets}" -c listen_addresses= -c fsync=off`;
  stack.defer(() => stopPostmaster(cluster));
  await run(runner, [programs.pgCtl, 'start', '-w', '-s', '-l', 'postgres.log', '-o', settings], options);
  const opened = stack.move();
  return {
    connection: { host: sockets, port: PORT, user: 'postgres', database: 'hourcast' },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
