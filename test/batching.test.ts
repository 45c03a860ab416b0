import { describe, expect, test } from '@jest/globals';

import { DeadlineExceeded, withDeadline } from '../src/deadline.ts';
import { batcher } from '../src/batching.ts';

/** Work that is done when the test says so; `ran` holds the batches that were begun. */
function heldWork() {
  const ran: (readonly string[])[] = [];
  const holds: (() => void)[] = [];
  return {
    ran,
    run: async (batch: readonly string[]) => {
      ran.push(batch);
      await new Promise<void>((resolve) => holds.push(resolve));
      if (batch.includes('bad')) throw new Error(`Cannot do ${batch.join(', ')}`);
      return batch.map((one) => one.toUpperCase());
    },
    /** Lets the batch that waits longest end, and those who wait for it go on. */
    async end() {
      holds.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe('batches', () => {
  test('calls during the maximum of batches go into the next one, in order of arrival', async () => {
    const work = heldWork();
    const { add } = batcher({ inFlight: 2, max: 3, run: work.run });
    const answers = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(add);
    expect(work.ran).toEqual([['a'], ['b']]);
    await work.end();
    expect(work.ran.slice(2)).toEqual([['c', 'd', 'e']]);
    await work.end();
    expect(work.ran.slice(3)).toEqual([['f', 'g']]);
    await work.end();
    await work.end();
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G']);
  });

  test('calls of one turn of the event loop share a delayed batch', async () => {
    const work = heldWork();
    const { add } = batcher({ inFlight: 1, delayToNextTick: true, max: 10, run: work.run });
    const answers = ['a', 'b', 'c'].map(add);
    expect(work.ran).toEqual([]);
    await new Promise(setImmediate);
    expect(work.ran).toEqual([['a', 'b', 'c']]);
    answers.push(add('d'), add('e'));
    await work.end();
    await new Promise(setImmediate);
    expect(work.ran.slice(1)).toEqual([['d', 'e']]);
    await work.end();
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  test('a call with a key waits for the earlier one, and others do not', async () => {
    const work = heldWork();
    const { add } = batcher({ inFlight: 2, max: 10, exclusiveKey: (one) => one.slice(0, 1), run: work.run });
    const answers = ['x', 'a1', 'a2', 'b', 'a3'].map(add);
    expect(work.ran).toEqual([['x'], ['a1']]);
    await work.end();
    expect(work.ran.slice(2)).toEqual([['b']]);
    await work.end();
    expect(work.ran.slice(3)).toEqual([['a2']]);
    for (let turn = 0; turn < 3; turn += 1) await work.end();
    await Promise.all(answers);
    expect(work.ran.slice(4)).toEqual([['a3']]);
  });
});

test('a batch that fails rejects only its own calls', async () => {
  const work = heldWork();
  const { add } = batcher({ inFlight: 1, max: 10, run: work.run });
  const first = add('first');
  const failing = ['second', 'bad'].map(add);
  const ends = Promise.allSettled(failing);
  await work.end();
  const after = add('after');
  await work.end();
  await work.end();
  expect(await first).toBe('FIRST');
  expect(await ends).toEqual([
    { status: 'rejected', reason: new Error('Cannot do second, bad') },
    { status: 'rejected', reason: new Error('Cannot do second, bad') },
  ]);
  expect(await after).toBe('AFTER');
});

test('too few answers are a fault of the batch function', async () => {
  const { add } = batcher({ inFlight: 1, max: 10, run: async () => [] });
  await expect(add('one')).rejects.toThrow('A batch of 1 must have as many answers (got 0)');
});

describe('deadline of a caller', () => {
  test('a deadline passed before the batch rejects, and the call is not executed', async () => {
    const work = heldWork();
    const { add } = batcher({ inFlight: 1, max: 10, run: work.run });
    const first = add('first');
    await expect(withDeadline(10, () => add('late'))).rejects.toThrow(DeadlineExceeded);
    await work.end();
    expect(await first).toBe('FIRST');
    expect(work.ran).toEqual([['first']]);
  });

  test('a deadline passed during the batch rejects, and the batch continues', async () => {
    const work = heldWork();
    const { add } = batcher({ inFlight: 1, max: 10, run: work.run });
    const refused = expect(withDeadline(10, () => add('late'))).rejects.toThrow(DeadlineExceeded);
    const other = add('other');
    await refused;
    await work.end();
    await work.end();
    expect(await other).toBe('OTHER');
    expect(work.ran).toEqual([['late'], ['other']]);
  });
});

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a call that has an answer or an error leaves no timer', async () => {
  const before = timers();
  const answering = batcher({ inFlight: 1, max: 10, run: async (batch: readonly string[]) => batch });
  await withDeadline(60_000, () => answering.add('one'));
  const failing = batcher({ inFlight: 1, max: 10, run: () => Promise.reject(new Error('a fault')) });
  await expect(withDeadline(60_000, () => failing.add('one'))).rejects.toThrow('a fault');
  expect(timers()).toBe(before);
});

test('settled() waits for a delayed batch', async () => {
  const ran: (readonly string[])[] = [];
  const run = async (batch: readonly string[]) => {
    ran.push(batch);
    return batch;
  };
  const { add, settled } = batcher({ inFlight: 1, delayToNextTick: true, max: 10, run });
  void add('one');
  await settled();
  expect(ran).toEqual([['one']]);
});

test('settled() waits until nothing is queued or in flight', async () => {
  const work = heldWork();
  const { add, settled } = batcher({ inFlight: 1, max: 1, run: work.run });
  await settled();
  const answers = ['a', 'b'].map(add);
  let isSettled = false;
  const settling = settled().then(() => (isSettled = true));
  await work.end();
  expect(isSettled).toBe(false);
  await work.end();
  await settling;
  expect(await Promise.all(answers)).toEqual(['A', 'B']);
});
