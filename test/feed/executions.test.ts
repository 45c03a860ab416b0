import { setImmediate } from 'node:timers/promises';

import { expect, test } from '@jest/globals';

import { openQueues } from '../../src/feed/executions.ts';

/** Works that begin when their turn comes and end when the test says so. */
function works(atOnce: number) {
  const queues = openQueues(atOnce);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string): Promise<void> =>
    queues.take(name.charAt(0), () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return promise;
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { queues, begun, take, end };
}

test('queues take turns, however many tasks each has', async () => {
  const { begun, take, end } = works(2);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void take(name);
  expect(begun).toEqual(['a1', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  await end('a1');
  await end('c1');
  await end('a2');
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a queue never occupies the last slot', async () => {
  const { begun, take, end } = works(3);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void take(name);
  expect(begun).toEqual(['a1', 'a2']);
  void take('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a failed task frees its slot, and its failure is returned', async () => {
  const queues = openQueues(1);
  const failed = queues.take('a', async () => {
    throw new Error('broken');
  });
  await expect(failed).rejects.toThrow('broken');
  expect(await queues.take('a', async () => 1)).toBe(1);
});

test('tasks that wait at the stop never start', async () => {
  const { queues, begun, take, end } = works(2);
  for (const name of ['a1', 'a2']) void take(name);
  queues.stop();
  await end('a1');
  expect(begun).toEqual(['a1']);
});
