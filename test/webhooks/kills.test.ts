import { expect, test } from '@jest/globals';

import { killWorkers } from './kills.ts';

test('a worker killed repeatedly loses no message, duplicates no effect and keeps the order', async () => {
  const { sent } = await killWorkers(4);
  expect(sent).toBeGreaterThanOrEqual(6 * 5 * 5);
});
