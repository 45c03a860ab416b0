import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';

import type { OwnPostgres } from '../../faults/own-postgres.ts';
import { openFolder } from '../../support/data-folder.ts';
import { fixedPort } from '../../support/fixed-port.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { deployFile } from './shell.ts';

/** PgBouncer with deploy/pgbouncer.ini in front of a test's PostgreSQL. */
export interface Pgbouncer extends AsyncDisposable {
  /** The service's address of the database: of an account that owns it, and is no superuser. */
  readonly url: string;
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
}

const PASSWORD = 'secret';

/** The database must be empty. */
export async function startPgbouncer({ connection }: OwnPostgres): Promise<Pgbouncer> {
  const { host, port, database } = connection;
  await makeOwner(connection);
  const folder = await openFolder('hourcast-pgbouncer-');
  const listens = await fixedPort();
  const [list, configuration] = [join(folder, 'userlist.txt'), join(folder, 'pgbouncer.ini')];
  await writeFile(list, `"hourcast" "${PASSWORD}"\n`);
  await writeFile(
    configuration,
    deployFile('pgbouncer.ini', {
      'host=10.0.0.13 port=5432 dbname=hourcast': `host=${host} port=${port} dbname=${database}`,
      'listen_addr = 10.0.0.13': 'listen_addr = 127.0.0.1',
      'listen_port = 6432': `listen_port = ${listens}`,
      '/etc/pgbouncer/userlist.txt': list,
    }),
  );
  // It refuses to run as root, and PostgreSQL's socket is its account's alone.
  const { uid, gid } = await stat(host);
  if (process.getuid?.() === 0) await chown(folder, uid, gid);
  const url = `postgresql://hourcast:${PASSWORD}@127.0.0.1:${listens}/hourcast`;
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    child = spawn('pgbouncer', ['--quiet', configuration], {
      stdio: 'ignore',
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    });
    await untilDespiteFaults('PgBouncer answers', () => answers(url));
  };
  await start();
  return {
    url,
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeOwner(connection: OwnPostgres['connection']): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  await client.query(`create role hourcast login; alter database ${connection.database} owner to hourcast`);
  await client.end();
}

async function answers(url: string): Promise<boolean> {
  const client = new Client(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
