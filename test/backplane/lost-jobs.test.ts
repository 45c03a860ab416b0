import { expect, test } from '@jest/globals';

import { isLostJob } from '../../src/backplane/bullmq-queue.ts';
import { openLocalBackplane } from '../../src/backplane/local.ts';
import { withClient } from '../../src/database/connection.ts';
import { createTestDatabase } from '../support/database.ts';

test('a worker that lost its job has its own error, not a fault', async () => {
  const { connection, drop } = await createTestDatabase();
  await using stack = new AsyncDisposableStack();
  stack.defer(drop);
  const reported = Promise.withResolvers<Error>();
  const parts = openLocalBackplane(connection, { processId: '', report: reported.resolve, warn: () => {} });
  stack.defer(() => parts.close());
  const queue = await parts.openQueue({
    name: 'taken',
    run: () =>
      withClient(connection, async (client) => void (await client.query(`update bullmq.job set lock_token = 'x'`))),
  });
  stack.defer(() => queue.close());
  await queue.add({ id: 'one' });
  expect(isLostJob(await reported.promise)).toBe(true);
  expect(isLostJob(new Error('a fault'))).toBe(false);
});
