import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { postgresQueues } from '../../src/backplane/local.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openOrm } from '../../src/database/orm.ts';
import { MIGRATIONS as NAMED } from '../../src/entities/migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/poll.ts';

const COLUMNS = `
  select table_name, column_name, ordinal_position, data_type, is_nullable, column_default, character_maximum_length,
    numeric_precision, numeric_scale, datetime_precision
  from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position`;
const CONSTRAINTS = `
  select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition
  from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`;
const INDEXES = `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`;
const FIRST = NAMED[0]?.name ?? '';
const MIGRATIONS = `select * from migrations order by id`;

/** One migration alters a sequence; there it waits for whoever holds this lock. */
const ALTERS_SEQUENCE = '2026-11-23-wide-numbers';
const STOPS_AT_SEQUENCE = `
  create function wait() returns event_trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); end $$;
  create event trigger waits on ddl_command_start when tag in ('ALTER SEQUENCE') execute function wait()`;

async function within<T>(work: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await createTestDatabase();
  try {
    return await work(database);
  } finally {
    await database.drop();
  }
}

/** A database without any table, which goes with `stack`. */
async function emptyBeside({ connection }: TestDatabase, stack: AsyncDisposableStack) {
  const client = new Client(connection);
  await client.connect();
  stack.defer(() => client.end());
  const database = `${connection.database}_empty`;
  await client.query(`create database ${database} template template0`);
  stack.defer(async () => void (await client.query(`drop database ${database} with (force)`)));
  return { ...connection, database };
}

async function schemaOf({ connection }: TestDatabase): Promise<readonly object[][]> {
  const client = new Client(connection);
  await client.connect();
  try {
    const found = [];
    for (const query of [COLUMNS, CONSTRAINTS, INDEXES, MIGRATIONS]) found.push((await client.query(query)).rows);
    return found;
  } finally {
    await client.end();
  }
}

/** What would have to be done for the database to be as the entities say. */
async function differenceFrom({ connection }: TestDatabase): Promise<string> {
  const orm = await openOrm(connection, 1);
  try {
    return await orm.schema.getUpdateSchemaSQL();
  } finally {
    await orm.close(true);
  }
}

/** Makes the schema what version 0.3.0 has. */
async function olderSchema(connection: TestDatabase['connection'], client: Client): Promise<void> {
  await client.query('drop schema public cascade; create schema public');
  const orm = await openOrm(connection, 1);
  await orm.migrator.up({ to: FIRST });
  await orm.close(true);
}

test('a second migration changes nothing', () =>
  within(async (database) => {
    const before = await schemaOf(database);
    for (const part of before) expect(part).not.toEqual([]);
    await migrate(database.connection);
    await migrate(database.connection);
    expect(await schemaOf(database)).toEqual(before);
  }));

test('a migration blocked by a long lock keeps the previous ones, and tries again', () =>
  within(async (database) => {
    await using stack = new AsyncDisposableStack();
    const connection = await emptyBeside(database, stack);
    const holder = new Client(connection);
    await holder.connect();
    stack.defer(() => holder.end());
    await holder.query(`${STOPS_AT_SEQUENCE}; select pg_advisory_lock(1)`);
    const lines: string[] = [];
    const migrated = async (): Promise<unknown[]> => (await holder.query('select name from migrations')).rows;
    const meanwhile = Promise.withResolvers<unknown[]>();
    const warn = (message: string): void => {
      lines.push(message);
      meanwhile.resolve(migrated());
      const freed = holder.query('select pg_advisory_unlock(1)');
      stack.defer(async () => void (await freed));
    };
    await migrate(connection, { warn });
    expect(lines).toEqual([expect.stringMatching(/^Waiting for a lock on a table/)]);
    const names = NAMED.map(({ name }) => ({ name }));
    expect(await meanwhile.promise).toEqual(
      names.slice(
        0,
        names.findIndex(({ name }) => name === ALTERS_SEQUENCE),
      ),
    );
    expect(await migrated()).toEqual(names);
  }));

test('a migration stops waiting for a lock when the start is ended', () =>
  within(async (database) => {
    const holder = new Client(database.connection);
    await holder.connect();
    await holder.query('begin; lock table migrations in access exclusive mode');
    const ending = new AbortController();
    const migrating = migrate(database.connection, { warn: () => ending.abort(), signal: ending.signal });
    await expect(migrating).rejects.toThrow('aborted');
    await holder.end();
  }));

test('a migration keeps no lock while the next one works or waits', () =>
  within(async (database) => {
    const holder = new Client(database.connection);
    await holder.connect();
    await olderSchema(database.connection, holder);
    await holder.query('begin; lock table agents in row exclusive mode');
    const names: Promise<readonly { name: string }[]>[] = [];
    const warn = (): void => {
      names.push(holder.query<{ name: string }>('select name from migrations').then(({ rows }) => rows));
      names.push(holder.query('commit').then(() => []));
    };
    await migrate(database.connection, { warn });
    const [kept = []] = await Promise.all(names);
    await holder.end();
    expect(kept).toContainEqual({ name: ALTERS_SEQUENCE });
    expect(kept).not.toContainEqual({ name: '2026-11-23-hashes-of-keys' });
    expect(await differenceFrom(database)).toBe('');
  }));

test('a migration and a statement with part of its locks do not end each other', () =>
  within(async (database) => {
    const reader = new Client(database.connection);
    await reader.connect();
    await olderSchema(database.connection, reader);
    await reader.query('begin; select from predictions');
    const migrating = migrate(database.connection);
    await until('the migration waits for the reader', async () => {
      const { rows } = await reader.query('select from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))');
      return rows.length > 0;
    });
    await reader.query('select from rounds');
    await reader.query('commit');
    await reader.end();
    await migrating;
    expect(await differenceFrom(database)).toBe('');
  }));

test('the migrations create the schema of the entities', () =>
  within(async (database) => expect(await differenceFrom(database)).toBe('')));

test('a different database is detected', () =>
  within(async (database) => {
    const client = new Client(database.connection);
    await client.connect();
    await client.query('alter table rounds drop constraint rounds_one_hour_check');
    await client.end();
    expect(await differenceFrom(database)).toContain('rounds_one_hour_check');
  }));

test('the schema of the job queue is not compared', () =>
  within(async (database) => {
    const reported: unknown[] = [];
    const queue = await postgresQueues(database.connection, (error) => reported.push(error))({
      name: 'any',
      run: async () => {},
    });
    await queue.close();
    expect(reported).toEqual([]);
    expect(await differenceFrom(database)).toBe('');
    await migrate(database.connection);
    expect(await differenceFrom(database)).toBe('');
  }));
