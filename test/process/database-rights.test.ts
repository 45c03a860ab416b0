import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { MIGRATIONS } from '../../src/entities/migrations/index.ts';
import { databaseUrl, endOf } from '../support/process.ts';
import { type ProcessDatabase, processDatabase } from '../support/process-database.ts';

let database: ProcessDatabase;
let user: string;

beforeAll(async () => {
  database = await processDatabase();
  user = `runtime_${database.connection.database.slice(-8)}`;
  await database.client.query(`create role ${user} login; revoke create on schema public from public`);
});

afterAll(async () => {
  await database.client.query(`drop owned by ${user}; drop role ${user}`);
  await database[Symbol.asyncDispose]();
});

const startOf = () => endOf({ DATABASE_URL: databaseUrl({ ...database.connection, user }) });

/** In this order: each has the rights of the ones before. */
test.each([
  ['that may read nothing', 'select', 'permission denied for schema public'],
  [
    'that may only read',
    'grant select on all tables in schema public to $role',
    'permission denied for table platform',
  ],
  [
    'before the owner has migrated',
    `delete from migrations where name = '${MIGRATIONS.at(-1)?.name}'`,
    'must be owner of \\w+ \\w+',
  ],
])('a database role %s ends the start with one sentence', async (_role, statement, lack) => {
  await database.client.query(statement.replace('$role', user));
  const remedy = 'start once as the owner, then run the grants of docs/security\\.md\\.';
  const { code, stdout, stderr } = await startOf();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(new RegExp(`^The database role lacks a right \\(${lack}\\): ${remedy}\\n$`));
});

test('a role with too few connections for the later parts ends the start with one sentence', async () => {
  await using other = await processDatabase();
  const few = `few_${user}`;
  await other.client.query(`create role ${few} login connection limit 2 in role ${other.connection.user}`);
  try {
    const { code, stderr } = await endOf({ DATABASE_URL: databaseUrl({ ...other.connection, user: few }) });
    expect([code, stderr]).toEqual([
      1,
      `The database of DATABASE_URL cannot be used: too many connections for role "${few}"\n`,
    ]);
  } finally {
    await other.client.query(`drop role ${few}`);
  }
});
