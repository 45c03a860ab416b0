import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Client } from 'pg';

import { kyselyClient } from '../../src/database/kysely-pool.ts';
import { openOrm } from '../../src/database/orm.ts';
import { openPool } from '../../src/database/timed-pool.ts';
import { DeadlineExceeded, withDeadline } from '../../src/deadline.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/poll.ts';

let database: TestDatabase;
let orm: MikroORM;
let operator: Client;

// A pool of one connection: one that is not given back is missed at once.
beforeEach(async () => {
  database = await createTestDatabase();
  orm = await openOrm(database.connection, 1);
  operator = new Client(database.connection);
  await operator.connect();
});

afterEach(async () => {
  await orm.close(true);
  await operator.end();
  await database.drop();
});

/** Ends every connection to the database but the operator's. */
async function cutAll(): Promise<void> {
  await operator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
}

function addEvent(seq: number, during: () => Promise<void> = async () => {}): Promise<void> {
  return orm.em.fork().transactional(async (transaction) => {
    await sql`insert into events (seq, kind, at, payload) values (${seq}, 'ROUND_STORED', now(), '{}')`.execute(
      transaction.getKysely(),
    );
    await during();
    await sql`select 1`.execute(transaction.getKysely());
  });
}

function isAdded(seq: number): Promise<boolean> {
  return addEvent(seq).then(
    () => true,
    () => false,
  );
}

async function storedEvents(): Promise<readonly number[]> {
  const { rows } = await operator.query<{ seq: number }>('select seq from events order by seq');
  return rows.map(({ seq }) => seq);
}

test('transactions cut off in the middle fail, leave nothing behind and release their connection', async () => {
  for (const seq of [1, 2, 3]) await expect(addEvent(seq, cutAll)).rejects.toThrow(/terminat|not queryable/);
  await addEvent(4);
  expect(await storedEvents()).toEqual([4]);
});

test('transactions that start during cut connections fail or commit, and release their connection', async () => {
  const done: number[] = [];
  for (let seq = 1; seq <= 40; seq += 1) {
    const [added] = await Promise.allSettled([addEvent(seq), cutAll()]);
    if (added.status === 'fulfilled') done.push(seq);
  }
  // A connection that was cut may not know it yet.
  while (!(await isAdded(41)));
  expect(await storedEvents()).toEqual([...done, 41]);
});

test('a statement ends in the database when its caller’s deadline passes', async () => {
  const late = withDeadline(200, () => sql`select pg_sleep(60)`.execute(orm.em.fork().getKysely()));
  await expect(late).rejects.toThrow(DeadlineExceeded);
  const sleeping = `select from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`;
  await until('the backend is gone', async () => (await operator.query(sleeping)).rowCount === 0, 20_000);
});

test('a violated constraint is reported, and the connection stays usable', async () => {
  await addEvent(1);
  await expect(addEvent(1)).rejects.toMatchObject({ constraint: 'events_pkey' });
  await addEvent(2);
  expect(await storedEvents()).toEqual([1, 2]);
});

test('a transaction that cannot start fails at its first statement and runs none', async () => {
  await addEvent(1);
  const pool = openPool(database.connection, 1);
  const client = kyselyClient(pool, await pool.take(Infinity));
  await client.query('start transaction isolation level none', []);
  await expect(client.query('delete from events', [])).rejects.toMatchObject({ code: '42601' });
  await client.query('rollback', []);
  expect((await client.query('select seq from events', [])).rows).toEqual([{ seq: 1 }]);
  client.release();
  await pool.end();
});
