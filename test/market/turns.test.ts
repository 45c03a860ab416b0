import { expect, test } from '@jest/globals';
import { turns } from '../../src/market/turns.ts';

test('at most so many tasks run at once, in the order in which they came, also after one has failed', async () => {
  const inTurn = turns(2);
  const started: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const tasks = ends.map(({ promise }, place) =>
    inTurn(() => {
      started.push(place);
      return promise;
    }),
  );
  const settled = Promise.allSettled(tasks);
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  ends[1]?.reject(new Error('a fault'));
  await expect(tasks[1]).rejects.toThrow('a fault');
  expect(started).toEqual([0, 1, 2]);
  for (const [place, { resolve }] of ends.entries()) resolve(place);
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});
