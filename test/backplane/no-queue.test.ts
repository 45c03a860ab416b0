import { expect, test } from '@jest/globals';

import { openBackplane } from '../../src/backplane/open-backplane.ts';
import { openArena } from '../support/arena.ts';

test('a process without Redis that runs no jobs makes no tables of a queue, and adds nothing', async () => {
  const arena = await openArena();
  const { connection, report } = arena;
  const settings = { connection, report, redis: null, rateLimits: false, processId: 'site', warn: () => {} };
  const backplane = await openBackplane(settings);
  const queue = await backplane.openQueue({ name: 'resolve-round', run: null });
  await queue.add({ id: 'resolve-round-1' });
  expect([await queue.counts(), await queue.jobs()]).toEqual([{ waiting: 0, delayed: 0, active: 0, failed: 0 }, []]);
  expect(await arena.query("select to_regnamespace('bullmq')::text as schema")).toEqual([{ schema: null }]);
  await queue.close();
  await backplane.close();
  await arena.close();
});
