import { afterEach, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from '../../src/database/embedded-postgres.ts';
import { sharedBuffersMb } from '../../src/database/embedded-postgres/server.ts';
import { preparePostgres } from '../support/data-folder.ts';
import { untilDespiteFaults } from '../support/poll.ts';
import { hasEnded } from '../support/process.ts';

const OWNER = join(import.meta.dirname, '../support/postgres-owner.ts');
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

const disposers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposers.splice(0).toReversed()) await dispose();
});

/** A folder of the test's own; private to this account unless opened to all. */
async function folder(name = 'data', mode = 0o755): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'embedded-'));
  await chmod(parent, mode);
  const dataDir = join(parent, name);
  disposers.push(async () => {
    await stopEmbeddedPostgres(dataDir);
    await rm(parent, { recursive: true, force: true });
  });
  return dataDir;
}

/** The same with what a first start makes in it. */
async function preparedFolder(): Promise<string> {
  const dataDir = await folder();
  await mkdir(dataDir);
  preparePostgres(dataDir);
  return dataDir;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  disposers.push(() => postgres.stop());
  return postgres;
}

async function query(connection: DatabaseConnection, sql: string): Promise<unknown[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

interface Owner {
  readonly child: ChildProcess;
  readonly answer: { readonly connection: DatabaseConnection; readonly error?: string };
}

/** Another process that starts PostgreSQL, and what it answers. */
async function owner(command: readonly string[], options: SpawnOptions = {}): Promise<Owner> {
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
  disposers.push(async () => void child.kill('SIGKILL'));
  if (!child.stdout) throw new Error('The owner has no output');
  for await (const line of createInterface(child.stdout)) return { child, answer: JSON.parse(line) };
  throw new Error('The owner ended without an answer');
}

async function kill({ child }: Owner): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const postmasterPid = async (dataDir: string) =>
  Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);

describe('embedded PostgreSQL', () => {
  test('the first start creates the database, stop() leaves no process, and data remain', async () => {
    const dataDir = await folder();
    const first = await start(dataDir);
    await query(first.connection, 'create table kept as select 42 as answer');
    const pids = [await postmasterPid(dataDir), ...(await query(first.connection, 'select pid from pg_stat_activity'))];
    await first.stop();
    expect(await Promise.all(pids.map((pid) => hasEnded(Number(pid))))).toEqual(pids.map(() => true));

    const second = await start(dataDir);
    expect(second.connection).toEqual(first.connection);
    expect(second.connection.database).toBe('hourcast');
    expect(await query(second.connection, 'select answer from kept')).toEqual([42]);
    await second.stop();
    await second.stop();
  });

  test('a new process adopts the running server of a killed one', async () => {
    const dataDir = await preparedFolder();
    const killed = await owner([OWNER, dataDir]);
    await query(killed.answer.connection, 'create table kept as select 42 as answer');
    const pid = await postmasterPid(dataDir);
    await kill(killed);

    const next = await start(dataDir);
    expect(await postmasterPid(dataDir)).toBe(pid);
    expect(await query(next.connection, 'select answer from kept')).toEqual([42]);
    await next.stop();
    expect(await hasEnded(pid)).toBe(true);
  });

  test('a server killed with its process recovers all commits', async () => {
    const dataDir = await preparedFolder();
    const killed = await owner([OWNER, dataDir, 'durable']);
    await query(killed.answer.connection, 'create table kept as select 42 as answer');
    const pid = await postmasterPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await kill(killed);

    const next = await start(dataDir);
    expect(await postmasterPid(dataDir)).not.toBe(pid);
    expect(await query(next.connection, 'select answer from kept')).toEqual([42]);
  });

  test('the server caches used pages and writes checkpoints rarely, and a temporary one stays small', async () => {
    const settings = `select setting || coalesce(unit, '') from pg_settings
      where name in ('checkpoint_timeout', 'jit', 'max_parallel_workers_per_gather', 'max_wal_size', 'shared_buffers', 'wal_compression') order by name`;
    const durable = await owner([OWNER, await folder(), 'durable']);
    const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
    const pages = (sharedBuffersMb(memory) * 1024) / 8;
    expect(await query(durable.answer.connection, settings)).toEqual([
      '900s',
      'off',
      '0',
      '4096MB',
      `${pages}8kB`,
      'pglz',
    ]);

    const small = await start(await folder());
    expect(await query(small.connection, settings)).toEqual(['300s', 'off', '0', '1024MB', '163848kB', 'off']);
  });

  test.each([
    [0.25, 128],
    [2, 512],
    [2.5, 640],
    [24, 1024],
  ])('a machine with %d GB memory has %d MB for buffers', (gigabytes, megabytes) => {
    expect(sharedBuffersMb(gigabytes * 1024 ** 3)).toBe(megabytes);
  });

  test('a second service on a folder is refused with the first’s process, also after a crash', async () => {
    const dataDir = await preparedFolder();
    const { connection } = await start(dataDir);
    const claimants = `select pid from pg_locks where locktype = 'advisory' and granted`;
    const [before] = await query(connection, claimants);
    await query(connection, `select pg_terminate_backend(${String(before)})`);
    let after: unknown[] = [];
    while (after.length === 0) after = (await query(connection, claimants)).filter((pid) => pid !== before);

    const { answer } = await owner([OWNER, dataDir]);
    expect(answer.error).toContain(`Another service (process ${process.pid}) runs on the data folder ${dataDir}`);
    expect(answer.error).toContain('DATA_DIR');
    expect(await query(connection, 'select 1')).toEqual([1]);
  });

  test('a server that somebody stops by SIGTERM is restarted, though connections are open', async () => {
    const dataDir = await preparedFolder();
    const { connection } = await start(dataDir);
    const open = new Client(connection).on('error', () => {});
    await open.connect();
    const before = await postmasterPid(dataDir);
    const cut = new Promise<void>((resolve) => open.once('end', resolve));
    process.kill(before, 'SIGTERM');
    await cut;
    await untilDespiteFaults('an answer', async () => (await query(connection, 'select 1')).length === 1);
    expect(await postmasterPid(dataDir)).not.toBe(before);
  });

  test('the server starts despite a stale pid file and a half-made folder', async () => {
    const dataDir = await preparedFolder();
    const first = await start(dataDir);
    const [, ...rest] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    await first.stop();
    const stale = [process.pid, ...rest].join('\n');
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), stale, { mode: 0o600 });
    await mkdir(join(dataDir, `postgres.new-${spawnSync('true').pid}`));

    const second = await start(dataDir);
    expect(await query(second.connection, 'select 1')).toEqual([1]);
    expect(await readdir(dataDir)).toEqual(['postgres']);
  });

  test('the log has no caller’s statement, and a long one is moved at the start', async () => {
    const dataDir = await preparedFolder();
    const log = join(dataDir, 'postgres', 'postgres.log');
    const first = await start(dataDir);
    await expect(query(first.connection, `select 'a caller has sent this' from no_such_table`)).rejects.toThrow(
      'exist',
    );
    const written = await readFile(log, 'utf8');
    expect(written).toContain('no_such_table');
    expect(written).not.toContain('a caller has sent this');
    await first.stop();
    await truncate(log, 9 * 1024 * 1024);

    await start(dataDir);
    expect((await stat(log)).size).toBeLessThan(100_000);
    expect((await stat(`${log}.old`)).size).toBe(9 * 1024 * 1024);
  });

  test('a failed start reports the end of PostgreSQL’s log', async () => {
    const dataDir = await preparedFolder();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n');
    const { answer } = await owner([OWNER, dataDir]);
    expect(answer.error).toMatch(/^PostgreSQL does not start on .+: .*no_such_setting/s);
  });

  test('a long path with spaces and quotes in a private folder works, also as root', async () => {
    const dataDir = await folder(`${'long '.repeat(20)}and $HOME "quoted" it's`, 0o700);
    const { connection } = await start(dataDir);
    expect(await query(connection, 'select 1')).toEqual([1]);
  });

  // Root's tests play an ordinary user too, unless the project itself is where no other account may go.
  const account = isRoot ? NOBODY : {};
  const isReachable = spawnSync(process.execPath, [OWNER, '/dev/null'], account).status === 0;
  (isReachable ? test : test.skip)('the server runs as an ordinary user, who can stop it', async () => {
    const dataDir = await folder();
    await mkdir(dataDir);
    if (isRoot) await chown(dataDir, NOBODY.uid, NOBODY.gid);
    const { child, answer } = await owner([OWNER, dataDir], account);
    const pid = await postmasterPid(dataDir);
    expect(answer.connection.database).toBe('hourcast');
    child.stdin?.end();
    await once(child, 'exit');
    expect(await hasEnded(pid)).toBe(true);
  });

  test('an unsupported system gets advice', async () => {
    const otherSystem = `data:text/javascript,Object.defineProperty(process,'arch',{value:'mips'})`;
    const { answer } = await owner(['--import', otherSystem, OWNER, await folder()]);
    expect(answer.error).toContain(`package @embedded-postgres/${process.platform}-mips`);
    expect(answer.error).toContain('DATABASE_URL');
  });
});
