import { setImmediate } from 'node:timers/promises';

import { expect, test } from '@jest/globals';

import { openTurns } from '../../src/feed/executions.ts';

/** Works that begin when their turn comes and end when the test says so. */
function works(atOnce: number) {
  const turns = openTurns(atOnce);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string): Promise<void> =>
    turns.take(name.charAt(0), () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return promise;
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { turns, begun, take, end };
}

test('lanes take turns, however many works each of them has', async () => {
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

test('a lane never has the last place', async () => {
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

test('a work that fails gives its place back, and its failure is answered', async () => {
  const turns = openTurns(1);
  const failed = turns.take('a', async () => {
    throw new Error('broken');
  });
  await expect(failed).rejects.toThrow('broken');
  expect(await turns.take('a', async () => 1)).toBe(1);
});

test('what waits at the stop never begins', async () => {
  const { turns, begun, take, end } = works(2);
  for (const name of ['a1', 'a2']) void take(name);
  turns.stop();
  await end('a1');
  expect(begun).toEqual(['a1']);
});
