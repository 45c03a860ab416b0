import { chmodSync, cpSync } from 'node:fs';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { type DatabaseConnection, withClient } from '../../src/database/connection.ts';
import { giveCluster } from '../../src/database/embedded-postgres/cluster.ts';
import { findPostmaster, stopPostmaster } from '../../src/database/embedded-postgres/postmaster.ts';
import { chooseRunner, locatePrograms, run } from '../../src/database/embedded-postgres/runner.ts';
import { openFolder, preparePostgres } from '../support/data-folder.ts';

/** One of the two servers. */
export interface Server {
  readonly connection: DatabaseConnection;
  start(): Promise<void>;
  /** In good order; resolves when it is down. */
  stop(): Promise<void>;
  /** Ends its main process without a word, which its others notice by themselves; resolves when that is gone. */
  kill(): Promise<void>;
}

/** A primary with the service's tables and a standby that applies what the primary commits. */
export interface ReplicatedPostgres extends AsyncDisposable {
  readonly primary: Server;
  readonly standby: Server;
  /** From now on a commit is acknowledged when the standby shows it. */
  makeSynchronous(): Promise<void>;
  /** Makes the standby a primary of its own. */
  promote(): Promise<void>;
}

/** A killed test leaves them behind; the name lets the next run clear up. */
const PREFIX = `hourcast-test-${process.pid}-`;
const PORT = 5432;
const STANDBY_NAME = 'standby';
const SETTINGS = ['wal_level=replica', 'max_wal_senders=4', 'wal_keep_size=512MB', 'hot_standby=on', 'jit=off'];
/** What a server writes of itself while it runs, and the log, which the standby is sent by the primary. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'postgres.log']);

/** Made from the embedded binaries alone: they have no pg_basebackup, so the files are copied as that copies them. */
export async function replicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = await openFolder(PREFIX);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await Promise.all([mkdir(first), mkdir(second)]);
  preparePostgres(first);
  const primary = await serverIn(first, []);
  stack.defer(() => primary.stop());
  await primary.start();
  await copyRunning(primary.connection, join(first, 'postgres'), join(second, 'postgres'));
  const { host, port, user } = primary.connection;
  const standby = await serverIn(second, [
    `primary_conninfo=host=${host} port=${port} user=${user} application_name=${STANDBY_NAME}`,
  ]);
  stack.defer(() => standby.stop());
  await standby.start();
  const opened = stack.move();
  return {
    primary,
    standby,
    makeSynchronous: () =>
      ask(primary.connection, [
        `alter system set synchronous_standby_names = '${STANDBY_NAME}'`,
        `alter system set synchronous_commit = 'remote_apply'`,
        'select pg_reload_conf()',
      ]),
    promote: () => ask(standby.connection, ['select pg_promote()']),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function serverIn(folder: string, settings: readonly string[]): Promise<Server> {
  const cluster = join(folder, 'postgres');
  const sockets = join(folder, 's');
  const programs = await locatePrograms();
  const runner = await chooseRunner(programs, [folder]);
  await mkdir(sockets);
  if (runner.owner) await chown(sockets, runner.owner.uid, runner.owner.gid);
  const quoted = [...SETTINGS, ...settings].map((setting) => `-c "${setting}"`);
  const options = [`-p ${PORT} -k "${sockets}" -c listen_addresses=`, ...quoted].join(' ');
  return {
    connection: { host: sockets, port: PORT, user: 'postgres', database: 'hourcast' },
    async start() {
      await giveCluster(cluster, runner);
      const command = [programs.pgCtl, 'start', '-w', '-s', '-t', '60', '-l', 'postgres.log', '-o', options];
      await run(runner, command, { cwd: cluster, environment: { PGDATA: cluster } });
    },
    stop: () => stopPostmaster(cluster),
    async kill() {
      const postmaster = await findPostmaster(cluster);
      if (postmaster === undefined) throw new Error(`No server runs on ${basename(folder)}`);
      process.kill(postmaster.pid, 'SIGKILL');
      await stopPostmaster(cluster);
    },
  };
}

async function copyRunning(connection: DatabaseConnection, from: string, to: string): Promise<void> {
  await withClient(connection, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    cpSync(from, to, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  });
  await writeFile(join(to, 'standby.signal'), '');
  chmodSync(to, 0o700);
}

async function ask(connection: DatabaseConnection, statements: readonly string[]): Promise<void> {
  await withClient(connection, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
