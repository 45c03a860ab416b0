import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';

import { backUp } from '../../src/backup/backup.ts';
import { restore } from '../../src/backup/restore.ts';
import type { DatabaseConnection } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { MIGRATIONS } from '../../src/entities/migrations/index.ts';
import { amendRound } from '../jobs/amended-round.ts';
import { insertDecided } from '../jobs/inserted-round.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeOldDatabase, MIGRATIONS_OF_0_3_0 } from '../support/old-database.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { sharedArena } from '../support/shared.ts';

const AGENTS = 40;
const AGENT_IDS = Array.from({ length: AGENTS }, (_, place) => place + 1);
const SILENT = { checking: () => {}, loading: () => {} };
const OPTIONS = { version: '9.9.9', now: new Date('2026-01-02T00:00:00Z'), progress: () => {} };

const arena = sharedArena(AGENTS);
let closing: AsyncDisposableStack;
let folder: string;

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  folder = join(closing.use(await scopedFolder()).path, 'backup');
});

afterEach(() => closing.disposeAsync());

/** Decides a round of all agents; all standings are written into a new table. */
async function decide(hour: number): Promise<number> {
  const predictions = AGENT_IDS.map((agentId) => ({ agentId, confidence: agentId }));
  return (await insertDecided(arena, { hour, predictions }, { answer: 'YES', rebuildFrom: 0 })).id;
}

/** A backup of which `meanwhile` happens between its first table and the others. */
async function backUpBeside(connection: DatabaseConnection, meanwhile: () => Promise<unknown>): Promise<void> {
  const shared = new SharedArrayBuffer(8);
  const state = new Int32Array(shared);
  const worker = new Worker(join(import.meta.dirname, 'held-backup.ts'), {
    workerData: { connection, folder, shared },
  });
  const ended = once(worker, 'exit');
  await Atomics.waitAsync(state, 0, 0).value;
  try {
    await meanwhile();
  } finally {
    Atomics.store(state, 1, 1);
    Atomics.notify(state, 1);
  }
  expect(await ended).toEqual([0]);
}

async function withDatabase(connection: DatabaseConnection): Promise<Client> {
  const client = new Client(connection);
  await client.connect();
  closing.defer(() => client.end());
  return client;
}

/** One without any table. */
async function emptyDatabase(): Promise<{ readonly connection: DatabaseConnection; readonly client: Client }> {
  const { connection, drop } = await createTestDatabase();
  closing.defer(drop);
  const client = await withDatabase(connection);
  await client.query('drop schema public cascade; create schema public');
  return { connection, client };
}

const COUNTED = `
  select (select count(*) from scores)::int as scores, (select sum(alltime_competitions) from standings)::int as counted,
    (select count(*) from score_corrections)::int as corrections`;

test.each([
  { beside: 'a resolution that writes all standings anew', meanwhile: () => decide(1) },
  { beside: 'an amendment', meanwhile: () => amendRound(arena, 1, 'NO') },
])('a backup during $beside is of one moment', async ({ meanwhile }) => {
  await decide(0);
  await backUpBeside(arena.connection, meanwhile);
  const { connection, client } = await emptyDatabase();
  await restore(connection, folder, SILENT);
  expect((await client.query(COUNTED)).rows).toEqual([{ scores: AGENTS, counted: AGENTS, corrections: 0 }]);
});

test('a backup has the same dates and decimals, whatever the defaults of both databases', async () => {
  await decide(0);
  const { client: target, connection } = await emptyDatabase();
  const source = arena.connection.database;
  const shown = `select (select min(start_time) from rounds) at time zone 'UTC' as at, (select clock_speed from platform) as speed`;
  await arena.query('update platform set clock_speed = 0.1::float8 + 0.2');
  const expected = await arena.query(shown);
  for (const setting of [`datestyle = 'SQL, DMY'`, 'extra_float_digits = -3'])
    await arena.query(`alter database ${source} set ${setting}`);
  try {
    await backUp(arena.connection, folder, OPTIONS);
  } finally {
    await arena.query(`alter database ${source} reset all`);
  }
  await target.query(`alter database ${connection.database} set datestyle = 'SQL, MDY'`);
  await restore(connection, folder, SILENT);
  expect((await target.query(shown)).rows).toEqual(expected);
});

test('a migration waits for a backup, which has the schema before it', async () => {
  const { connection, client } = await emptyDatabase();
  // The next one alters a table, for which it waits until nobody reads that.
  const altering = MIGRATIONS.findIndex(({ name }) => name === '2026-11-26-crowd-confidences');
  const before = MIGRATIONS[altering - 1]?.name ?? '';
  await migrate(connection, { upTo: before });
  await client.query(`insert into agents (name, name_key, mode, key_hash, registered_at)
    values ('one', 'one', 'compete', repeat('0', 64), now())`);
  const waiting = new AbortController();
  await backUpBeside(connection, () =>
    expect(migrate(connection, { warn: () => waiting.abort(), signal: waiting.signal })).rejects.toThrow('aborted'),
  );
  const target = await emptyDatabase();
  const { manifest } = await restore(target.connection, folder, SILENT);
  expect(manifest.schema).toBe(before);
  expect((await target.client.query('select name from agents')).rows).toEqual([{ name: 'one' }]);
});

test('a backup of version 0.3.0 is restored, and ids of predictions continue far beyond 32 bits', async () => {
  const source = await emptyDatabase();
  await makeOldDatabase(source.connection, MIGRATIONS_OF_0_3_0);
  await backUp(source.connection, folder, OPTIONS);
  const { connection, client } = await emptyDatabase();
  await restore(connection, folder, SILENT);
  expect((await client.query('select name from agents')).rows).toEqual([{ name: 'Ann' }]);
  const next = await client.query(`select nextval('predictions_id_seq')::float8 as id`);
  expect(next.rows).toEqual([{ id: 1e12 + 1 }]);
});

test('foreign tables and sequences are listed and left out, also from an older backup', async () => {
  await decide(0);
  await arena.query('create table my_notes (agent_id int references agents, note text); create sequence my_numbers');
  try {
    const { manifest, leftOut } = await backUp(arena.connection, folder, OPTIONS);
    expect(leftOut).toEqual(['my_notes', 'my_numbers']);
    expect(manifest.tables.map(({ name }) => name)).not.toContain('my_notes');
    const { rows = 0, ...table } = manifest.tables.find(({ name }) => name === 'agents') ?? {};
    const older = {
      ...manifest,
      tables: [...manifest.tables, { ...table, rows, name: 'my_notes', columns: ['note'] }],
      sequences: { ...manifest.sequences, my_numbers: 7 },
    };
    await writeFile(join(folder, 'my_notes.copy.gz'), await readFile(join(folder, 'agents.copy.gz')));
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(older));
    const { connection } = await emptyDatabase();
    expect((await restore(connection, folder, SILENT)).leftOut).toEqual(['my_notes', 'my_numbers']);
  } finally {
    await arena.query('drop table my_notes; drop sequence my_numbers');
  }
});

test('a database with standings that differ from its scores is not backed up or restored', async () => {
  await decide(0);
  await backUp(arena.connection, folder, OPTIONS);
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  await arena.query('delete from standings');
  const says = `The backup must be consistent, but its standings count 0 scores where it has ${AGENTS}`;
  await expect(backUp(arena.connection, `${folder}-again`, OPTIONS)).rejects.toThrow(says);
  // As versions before this one wrote it.
  for (const table of manifest.tables) if (table.name === 'standings') Object.assign(table, { rows: 0 });
  const empty = join(`${folder}-again`, 'standings.copy.gz');
  await writeFile(join(folder, 'standings.copy.gz'), await readFile(empty));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(await withSums(manifest, folder)));
  const { connection, client } = await emptyDatabase();
  await expect(restore(connection, folder, SILENT)).rejects.toThrow(says);
  expect((await client.query('select from agents')).rowCount).toBe(0);
});

async function withSums(manifest: { readonly tables: readonly { readonly name: string }[] }, of: string) {
  const tables = await Promise.all(
    manifest.tables.map(async (table) => ({
      ...table,
      sha256: hash('sha256', await readFile(join(of, `${table.name}.copy.gz`))),
    })),
  );
  return { ...manifest, tables };
}

test.each([0, 2, MIGRATIONS.length])(
  'a restore cut off after %d of its migrations can be started again',
  async (made) => {
    await decide(0);
    await backUp(arena.connection, folder, OPTIONS);
    const { connection, client } = await emptyDatabase();
    await migrate(connection, { upTo: MIGRATIONS[Math.max(0, made - 1)]?.name ?? '' });
    if (made === 0)
      await client.query(
        'drop schema public cascade; create schema public; create table migrations (id serial primary key, name varchar(255), executed_at timestamptz default current_timestamp)',
      );
    await restore(connection, folder, SILENT);
    expect((await client.query(COUNTED)).rows).toEqual([{ scores: AGENTS, counted: AGENTS, corrections: 0 }]);
  },
);

test('a database without the tables of the service is not backed up, and no folder is left', async () => {
  const { connection } = await emptyDatabase();
  await expect(backUp(connection, folder, OPTIONS)).rejects.toThrow('The database must be one of this service');
  await expect(access(folder)).rejects.toThrow('ENOENT');
});

test('a database with foreign tables is not restored into', async () => {
  await decide(0);
  await backUp(arena.connection, folder, OPTIONS);
  const { connection, client } = await emptyDatabase();
  await client.query('create table users (id int)');
  await expect(restore(connection, folder, SILENT)).rejects.toThrow(
    'The database must be empty for a restore, but has tables (users)',
  );
});
