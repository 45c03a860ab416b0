import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { migrate } from '../../src/database/migrate.ts';
import { openOrm } from '../../src/database/orm.ts';
import { BEFORE_FIRST_SCHEMA } from '../../src/entities/migrations/first-schema.ts';
import { MIGRATIONS } from '../../src/entities/migrations/index.ts';
import { StartError } from '../../src/rules/errors.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeOldDatabase, MIGRATIONS_OF_0_3_0 } from '../support/old-database.ts';

const [FIRST = '', ...LATER] = MIGRATIONS.map(({ name }) => name);

/** A database with the tables of version 0.3.0 and an agent, whose list of migrations is `executed`. */
async function databaseOf(executed: readonly string[]) {
  const database = await createTestDatabase();
  await makeOldDatabase(database.connection, executed);
  const client = new Client(database.connection);
  await client.connect();
  const query = async (text: string): Promise<object[]> => (await client.query(text)).rows;
  return {
    connection: database.connection,
    rounds: () => query('select * from rounds'),
    /** All that a migration could change. */
    state: async () => ({
      migrations: await query('select * from migrations order by id'),
      columns: await query(
        `select attrelid::regclass::text, attname, atttypid::regtype::text from pg_attribute join pg_class on oid = attrelid
         where relnamespace = 'public'::regnamespace and attnum > 0 order by 1, attnum`,
      ),
      agents: await query('select * from agents'),
    }),
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await database.drop();
    },
  };
}

test('a database of version 0.3.0 is migrated and keeps its rows, with version 1 of the rules', async () => {
  await using database = await databaseOf(MIGRATIONS_OF_0_3_0);
  const { agents } = await database.state();
  await migrate(database.connection);
  const after = await database.state();
  expect(after.migrations).toMatchObject([...MIGRATIONS_OF_0_3_0, ...LATER].map((name) => ({ name })));
  expect(after.agents).toMatchObject(agents);
  expect(await database.rounds()).toMatchObject([{ status: 'resolving', rules_version: 1 }]);
  const orm = await openOrm(database.connection, 1);
  expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  await orm.close(true);
});

test.each([
  ['lacks the last migration of version 0.3.0', BEFORE_FIRST_SCHEMA],
  ['has the first one alone', BEFORE_FIRST_SCHEMA.slice(0, 1)],
  ['lacks one between', [...BEFORE_FIRST_SCHEMA.slice(1), FIRST]],
  ['has one more', [...BEFORE_FIRST_SCHEMA, FIRST, '2026-11-22-seen-predictions']],
])('a database that %s is refused with a message and unchanged', async (_what, executed) => {
  await using database = await databaseOf(executed);
  const before = await database.state();
  const refused = migrate(database.connection);
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(
    /^The database is of a version before 0\.3\.0, .*; this one was not changed\.$/,
  );
  expect(await database.state()).toEqual(before);
});

test.each([
  ['made by this version', []],
  ['upgraded from version 0.3.0', BEFORE_FIRST_SCHEMA],
])('a database %s and upgraded since is refused as a newer one, and unchanged', async (_made, before) => {
  await using database = await databaseOf([...before, FIRST, ...LATER, '2027-01-01-later', '2027-01-02-last']);
  const state = await database.state();
  const refused = migrate(database.connection);
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(
    /^The database is of a newer version than this program: start that version\..*: 2027-01-01-later, 2027-01-02-last\.$/,
  );
  expect(await database.state()).toEqual(state);
});
