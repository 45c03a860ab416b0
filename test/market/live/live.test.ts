import { expect, test } from '@jest/globals';
import { refresher } from '../../../src/market/live/live.ts';

test('a task runs at the start and repeatedly, also after a failure, until the stop', async () => {
  const reported: unknown[] = [];
  const third = Promise.withResolvers<void>();
  let runs = 0;
  const refreshing = refresher(
    async () => {
      if (++runs === 3) third.resolve();
      if (runs === 2) throw new Error('a fault');
    },
    { everyMs: 1, report: (error) => reported.push(error) },
  );
  await refreshing.start();
  expect(runs).toBe(1);
  await third.promise;
  await refreshing.stop();
  expect(reported).toEqual([new Error('a fault')]);
  const after = runs;
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(runs).toBe(after);
});

test('stop() of a task that never started returns at once', async () => {
  await refresher(async () => {}, { everyMs: 1, report: () => {} }).stop();
});
