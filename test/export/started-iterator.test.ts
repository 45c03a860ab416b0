import { expect, test } from '@jest/globals';

import { startedIterator } from '../../src/export/send-text.ts';

async function* numbers(told: string[]): AsyncGenerator<number> {
  try {
    yield 1;
    yield 2;
  } finally {
    told.push('stopped');
  }
}

// oxlint-disable-next-line require-yield
async function* broken(): AsyncGenerator<number> {
  throw new Error('no database');
}

test('what was startedIterator gives every item, the first one too', async () => {
  const items: number[] = [];
  for await (const item of await startedIterator(numbers([]))) items.push(item);
  expect(items).toEqual([1, 2]);
});

test('what was startedIterator is stopped also when nothing was taken from it', async () => {
  const told: string[] = [];
  const items = await startedIterator(numbers(told));
  await items.return?.();
  expect(told).toEqual(['stopped']);
});

test('what fails at its first item fails at once', async () => {
  await expect(startedIterator(broken())).rejects.toThrow('no database');
});
