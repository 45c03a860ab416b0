import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { createTestDatabase } from './database.ts';

test('databases created concurrently are migrated and separate', async () => {
  const databases = await Promise.all(Array.from({ length: 6 }, () => createTestDatabase()));
  const tables = await Promise.all(
    databases.map(async ({ connection, drop }) => {
      const client = new Client(connection);
      await client.connect();
      await client.query('create table only_here (id int)');
      const { rows } = await client.query('select count(*)::int as n from agents');
      await client.end();
      await drop();
      return rows[0];
    }),
  );
  expect(tables).toEqual(Array.from({ length: 6 }, () => ({ n: 0 })));
});
