import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { isStopped } from '../../src/database/failures.ts';
import { openOrm } from '../../src/database/orm.ts';
import { withClient } from '../../src/database/connection.ts';
import { statement, type Statements, statementsOn } from '../../src/database/statements.ts';
import { timedPool } from '../../src/database/timed-pool.ts';
import { DeadlineExceeded, withDeadline } from '../../src/deadline.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let orm: Awaited<ReturnType<typeof openOrm>>;
let statements: Statements;

// A pool of one connection: one that is not given back is missed at once.
beforeEach(async () => {
  database = await createTestDatabase();
  orm = await openOrm(database.connection, 1, { statementMs: 1_500 });
  ({ statements } = orm);
});

afterEach(async () => {
  await orm.close(true);
  await database.drop();
});

const named = (name: string) => () => statement({ name, text: 'select 1' });
const unnamed = (text: string) => statement<[number]>({ name: null, text });
const shared = (value: number) => statement<[number]>({ name: 'shared', text: `select ${value}` });
const NUMBER = statement<[number]>({ name: 'number', text: 'select $1::int' });
const SLEEP = statement<[string]>({ name: 'sleep', text: 'select pg_sleep($1)::text' });
const SESSION = statement<[number]>({ name: 'session', text: 'select pg_backend_pid()' });
const PREPARED = statement<[string]>({ name: null, text: 'select name from pg_prepared_statements order by name' });

test('planner settings are the same, whatever the database’s defaults', async () => {
  const { database: name } = database.connection;
  for (const setting of ['jit = on', 'max_parallel_workers_per_gather = 4'])
    await orm.em.execute(`alter database ${name} set ${setting}`);
  await using stack = new AsyncDisposableStack();
  const later = await openOrm(database.connection, 1);
  stack.defer(() => later.close(true));
  const shown = `select current_setting('jit'), current_setting('max_parallel_workers_per_gather')`;
  expect(await later.statements.rows(unnamed(shown), [])).toEqual([['off', '0']]);
});

test('dates, decimals, literals and locks are the same, whatever the database’s defaults', async () => {
  for (const setting of [
    `datestyle = 'SQL, DMY'`,
    `intervalstyle = 'sql_standard'`,
    'extra_float_digits = -3',
    'standard_conforming_strings = off',
    `lock_timeout = '1h'`,
    `idle_session_timeout = '1h'`,
    `statement_timeout = '1h'`,
    `idle_in_transaction_session_timeout = '1h'`,
  ])
    await orm.em.execute(`alter database ${database.connection.database} set ${setting}`);
  await using stack = new AsyncDisposableStack();
  const later = await openOrm(database.connection, 1);
  stack.defer(() => later.close(true));
  const shown = statement<unknown[]>({
    name: null,
    text: String.raw`select timestamptz '2026-02-01 10:00Z', '1 day 02:00'::interval::text, (0.1::float8 + 0.2)::text,
      '\d', current_setting('lock_timeout'), current_setting('idle_session_timeout', true)`,
  });
  expect(await later.statements.rows(shown, [])).toEqual([
    [new Date('2026-02-01T10:00:00Z'), '1 day 02:00:00', '0.30000000000000004', String.raw`\d`, '0', '0'],
  ]);
  const timeouts = `select setting from pg_settings where name ~ '^(statement|lock|idle.*session)_timeout$'`;
  const { rows } = await withClient(database.connection, (client) =>
    client.query({ text: timeouts, rowMode: 'array' }),
  );
  expect(rows.flat()).toEqual(['0', '0', '0', '0']);
});

describe('single statements', () => {
  test('a statement returns arrays with dates, decimals as text, exact bigints and parsed JSON', async () => {
    const kinds = statement<[Date, string, number, string, number[], object, null]>({
      name: 'kinds',
      text: `select $1::timestamptz, 12.50::numeric, 7::bigint, 9007199254740993::bigint, $2::int[], '{"a": 1}'::jsonb, null`,
    });
    const at = new Date('2026-01-01T12:00:00.123Z');
    expect(await statements.rows(kinds, [at, [1, 2]])).toEqual([
      [at, '12.50', 7, '9007199254740993', [1, 2], { a: 1 }, null],
    ]);
  });

  test('a named statement is prepared on its connection, an unnamed one is not', async () => {
    expect(await statements.rows(NUMBER, [1])).toEqual([[1]]);
    expect(await statements.rows(NUMBER, [2])).toEqual([[2]]);
    expect(await statements.rows(statement({ name: null, text: 'select $1::text' }), ['x'])).toEqual([['x']]);
    expect(await statements.rows(PREPARED, [])).toEqual([['number']]);
  });

  test('a statement’s name has 1 to 63 characters', () => {
    expect(named('n'.repeat(63))).not.toThrow();
    expect(named('n'.repeat(64))).toThrow(/1 to 63 characters \(got "n{64}"\)/);
    expect(named('')).toThrow(/1 to 63 characters/);
  });

  test('a failed statement rejects with the database’s error, and its connection stays usable', async () => {
    const [before] = await statements.rows(SESSION, []);
    await expect(statements.rows(NUMBER, ['no number'])).rejects.toMatchObject({ code: '22P02' });
    const broken = statement({ name: 'broken', text: 'select nothing' });
    for (let time = 0; time < 2; time += 1)
      await expect(statements.rows(broken, [])).rejects.toMatchObject({ code: '42703' });
    expect(await statements.rows(SESSION, [])).toEqual([before]);
  });

  test('a statement with another’s name replaces it on the connection', async () => {
    for (const value of [1, 2, 2, 1]) expect(await statements.rows(shared(value), [])).toEqual([[value]]);
    const known = unnamed("select statement from pg_prepared_statements where name = 'shared'");
    expect(await statements.rows(known, [])).toEqual([['select 1']]);
    // One that the database refuses leaves nothing behind under the name.
    const broken = statement({ name: 'shared', text: 'select nothing' });
    await expect(statements.rows(broken, [])).rejects.toMatchObject({ code: '42703' });
    expect(await statements.rows(shared(1), [])).toEqual([[1]]);
  });

  test('the database cancels a slow statement', async () => {
    const stopped = await statements.rows(SLEEP, [60]).catch((error: unknown) => error);
    expect(isStopped(stopped)).toBe(true);
    expect(await statements.rows(NUMBER, [1])).toEqual([[1]]);
  });

  test('a statement whose columns a migration changes fails once per connection', async () => {
    const changing = statement<[unknown]>({ name: 'changing', text: 'select payload from events' });
    await statements.rows(changing, []);
    await orm.em.fork().execute('alter table events alter column payload type text');
    await expect(statements.rows(changing, [])).rejects.toMatchObject({ code: '0A000' });
    expect(await statements.rows(changing, [])).toEqual([]);
  });
});

test('a transaction is read committed, whatever the database’s default', async () => {
  await orm.em
    .fork()
    .execute(`alter database "${database.connection.database}" set default_transaction_isolation = serializable`);
  const later = await openOrm(database.connection, 1);
  const isolation = unnamed("select current_setting('transaction_isolation')");
  expect(await later.statements.rows(isolation, []).finally(() => later.close(true))).toEqual([['read committed']]);
});

describe('deadline of a caller', () => {
  test('a passed deadline rejects, and cuts the stuck connection', async () => {
    const [before] = await statements.rows(SESSION, []);
    await expect(withDeadline(30, () => statements.rows(SLEEP, [60]))).rejects.toThrow(DeadlineExceeded);
    const [after] = await statements.rows(SESSION, []);
    expect(after).not.toEqual(before);
  });

  test('a statement that succeeds after its deadline rejects, too', async () => {
    await using stack = new AsyncDisposableStack();
    const pool = timedPool(new Pool({ ...database.connection, max: 1 }));
    stack.defer(() => pool.end());
    const client = await pool.take(Infinity);
    stack.defer(() => client.release(true));
    const late = pool.ask<string>(client, 1, (done) => client.once('end', () => done(null, 'committed')));
    await expect(late).rejects.toThrow(DeadlineExceeded);
  });

  test('a deadline passed while waiting for a connection rejects, and the connection serves the next', async () => {
    const [before] = await statements.rows(SESSION, []);
    const slow = statements.rows(SLEEP, [0.2]);
    await expect(withDeadline(30, () => statements.rows(NUMBER, [1]))).rejects.toThrow(
      'The deadline passed before a connection was free',
    );
    await slow;
    expect(await statements.rows(SESSION, [])).toEqual([before]);
  });

  test('a deadline passed before the call rejects without a statement', async () => {
    const [before] = await statements.rows(SESSION, []);
    await expect(withDeadline(0, () => statements.rows(SESSION, []))).rejects.toThrow(DeadlineExceeded);
    expect(await statements.rows(SESSION, [])).toEqual([before]);
  });

  test('a call without a deadline has the default timeout', async () => {
    const pool = new Pool({ ...database.connection, max: 1 });
    const limited = statementsOn(timedPool(pool, 1_000));
    await expect(limited.rows(SLEEP, [60])).rejects.toThrow(DeadlineExceeded);
    expect(await limited.rows(NUMBER, [1])).toEqual([[1]]);
    await pool.end();
  });

  test('an ORM transaction without a deadline waits a second longer than its statements', async () => {
    const transaction = orm.em.fork();
    await transaction.begin();
    await transaction.execute('select 1');
    await expect(statements.rows(NUMBER, [1])).rejects.toThrow('The deadline passed before a connection was free');
    await transaction.rollback();
    expect(await statements.rows(NUMBER, [1])).toEqual([[1]]);
  });

  test('a passed deadline leaves concurrent statements running', async () => {
    const pool = new Pool({ ...database.connection, max: 3 });
    const several = statementsOn(timedPool(pool));
    const [first, second, third] = await Promise.allSettled([
      withDeadline(10_000, () => several.rows(SLEEP, [0.3])),
      withDeadline(100, () => several.rows(SLEEP, [60])),
      several.rows(SLEEP, [0.3]),
    ]);
    expect([first.status, second.status, third.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await pool.end();
  });
});

test('a connection to a server that became read-only is closed', async () => {
  const later = await openOrm(database.connection, 1);
  const plain = (text: string) => later.statements.rows(statement<[unknown]>({ name: null, text }), []);
  const [[before] = []] = await plain('select pg_backend_pid()');
  await plain('set default_transaction_read_only = on');
  await expect(plain('create table unwritten ()')).rejects.toMatchObject({ code: '25006' });
  const [[after] = []] = await plain('select pg_backend_pid()');
  expect(after).not.toBe(before);
  await later.close(true);
});
