import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { setImmediate } from 'node:timers/promises';

import { openOrm } from '../../src/database/orm.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

test('a close while connections are opening waits for their users', async () => {
  const orm = await openOrm(database.connection);
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(orm.em.fork().getKysely());
  await ask();
  const waiting = [ask(), ask(), ask()];
  await setImmediate();
  await orm.close(true);
  const answers = await Promise.all(waiting);
  expect(answers.map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]]);
});
