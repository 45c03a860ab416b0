import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Client } from 'pg';

import { withClient } from '../../src/database/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { partsOn } from './queue-drivers.ts';

test('connections of the queue in PostgreSQL stay open, whatever the database’s timeout of idle sessions', async () => {
  const { connection, drop } = await createTestDatabase();
  await using stack = new AsyncDisposableStack();
  stack.defer(drop);
  await withClient(connection, async (client) => {
    await client.query(`alter database ${connection.database} set idle_session_timeout = '1s'`);
  });
  const reports: string[] = [];
  const parts = await partsOn({ driver: 'postgresql', connection }, (message) => reports.push(message));
  stack.defer(() => parts.close());
  const ran = Promise.withResolvers<string>();
  const queue = await parts.openQueue({ name: 'patient', run: async (id) => ran.resolve(id) });
  stack.defer(() => queue.close());
  await queue.add({ id: 'one' });
  expect(await ran.promise).toBe('one');
  // Opened later, so it is idle for a shorter time than the queue's.
  const other = new Client({ ...connection });
  await other.connect();
  await expect(once(other, 'end')).rejects.toThrow('idle-session timeout');
  expect(reports).toEqual([]);
});
