import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { Client } from 'pg';

import { backUp } from '../../src/backup/backup.ts';
import { restore } from '../../src/backup/restore.ts';
import { openArena } from '../support/arena.ts';
import { createTestDatabase } from '../support/database.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { until } from '../support/poll.ts';

const OPTIONS = { version: '9.9.9', now: new Date('2026-04-02T00:00:00Z'), progress: () => {} };
const SILENT = { checking: () => {}, loading: () => {} };

let closing: AsyncDisposableStack;
beforeEach(() => {
  closing = new AsyncDisposableStack();
});
afterEach(() => closing.disposeAsync());

/** The last number in a database to which the backup is restored, and a client of it. */
async function restored(folder: string) {
  const { connection, drop } = await createTestDatabase();
  closing.defer(drop);
  await restore(connection, folder, SILENT);
  const client = new Client(connection);
  await client.connect();
  closing.defer(() => client.end());
  const { rows } = await client.query<{ last: number; second: number }>(
    'select last_seq as last, extract(epoch from now())::int as second from platform',
  );
  return { client, last: rows[0]?.last ?? 0, second: rows[0]?.second ?? 0 };
}

test('two restores of one backup leave different gaps in the numbers of events', async () => {
  const parent = closing.use(await scopedFolder());
  const arena = await openArena();
  closing.defer(() => arena.close());
  const [before] = await arena.query<{ last: number }>('select last_seq as last from platform');
  const folder = join(parent.path, 'backup');
  await backUp(arena.connection, folder, OPTIONS);
  const one = await restored(folder);
  await until('the next second', async () => {
    const { rows } = await one.client.query<{ second: number }>('select extract(epoch from now())::int as second');
    return (rows[0]?.second ?? 0) > one.second;
  });
  const other = await restored(folder);
  const gaps = [one, other].map(({ last }) => last - (before?.last ?? 0));
  expect(gaps[1]).not.toBe(gaps[0]);
  for (const gap of gaps) expect([gap >= 1_000_000, gap < 2_000_000]).toEqual([true, true]);
});
