import { setImmediate } from 'node:timers/promises';

import { expect, test } from '@jest/globals';

import { openExecutions, openQueues, type RootValue } from '../../src/feed/executions.ts';
import { DomainError } from '../../src/rules/errors.ts';

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

/** Executions at a cost of 5 each; a name in `failing` fails once. */
function executions(...failing: readonly string[]) {
  const left = new Set(failing);
  const executed: unknown[] = [];
  const paid: number[] = [];
  const opened = openExecutions({
    cost: 5,
    queues: openQueues(),
    execute: (roots) =>
      roots.map(async ({ name }) => {
        executed.push(name);
        if (left.delete(String(name))) throw new Error('broken');
        return `"${String(name)}"`;
      }),
  });
  const pay = async (cost: number): Promise<string> => {
    paid.push(cost);
    return 'an address';
  };
  const texts = (...roots: readonly RootValue[]) =>
    Promise.all(opened.of(roots, pay)).then((found) => found.map(({ tail }) => String(tail)));
  return { opened, texts, executed, paid };
}

const [ONE, TWO] = [{ name: 'one' }, { name: 'two' }];

test('a root value is executed once for all, and each execution is paid for', async () => {
  const { texts, opened, executed, paid } = executions();
  expect(await Promise.all([texts(ONE, TWO), texts(TWO)])).toEqual([['"one"}', '"two"}'], ['"two"}']]);
  expect([executed, paid]).toEqual([['one', 'two'], [10]]);
  opened.forget();
  expect(await texts(TWO)).toEqual(['"two"}']);
  expect([executed, paid]).toEqual([
    ['one', 'two', 'two'],
    [10, 5],
  ]);
});

test('a failed execution fails for all who wait for it, and the next request tries again', async () => {
  const { texts, executed } = executions('one');
  const ends = await Promise.allSettled([texts(ONE), texts(ONE)]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await texts(ONE)).toEqual(['"one"}']);
  expect(executed).toEqual(['one', 'one']);
});

test('who waits for an execution that another cannot pay pays for it', async () => {
  const { opened, texts, executed } = executions();
  const spent = opened.of([ONE], () => Promise.reject(new DomainError('rate_limited', 'spent')));
  const other = texts(ONE);
  await expect(spent[0]).rejects.toThrow('spent');
  expect(await other).toEqual(['"one"}']);
  expect(executed).toEqual(['one']);
});

test('an execution keeps its slot until all of its results are there', async () => {
  const begun: unknown[] = [];
  const held = Promise.withResolvers<string>();
  const execute = (roots: readonly RootValue[]) => {
    begun.push(...roots);
    return roots.map(() => held.promise);
  };
  const opened = openExecutions({ cost: 1, queues: openQueues(1), execute });
  const found = [ONE, TWO].flatMap((root) => opened.of([root], async () => 'an address'));
  await setImmediate();
  expect(begun).toEqual([ONE]);
  held.resolve('"done"');
  await Promise.all(found);
  expect(begun).toEqual([ONE, TWO]);
});
