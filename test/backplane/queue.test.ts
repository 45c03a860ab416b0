import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { type Queue, type QueueOptions, QueueUnavailable, RetryLater } from '../../src/backplane/backplane.ts';
import { HAS_REDIS } from '../support/redis-installed.ts';
import { until } from '../support/poll.ts';
import { notebook } from './notebook.ts';
import { partsOn, type Store, STORES } from './queue-drivers.ts';

const OWNER = join(import.meta.dirname, 'queue-owner.ts');

describe.each(['postgresql', ...(HAS_REDIS ? (['redis'] as const) : [])] as const)('queue in %s', (driver) => {
  let store: Store;
  let opened: (() => Promise<void>)[];
  let messages: string[];
  let name = '';

  beforeAll(async () => {
    store = await STORES[driver]();
  });

  afterAll(async () => {
    await store[Symbol.asyncDispose]();
  });

  beforeEach(() => {
    name = `queue-${Math.trunc(performance.now() * 1000)}`;
    opened = [];
    messages = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((close) => close()));
    expect(messages).toEqual([]);
  });

  async function open(run: QueueOptions['run'], concurrency = 1): Promise<Queue> {
    const parts = await partsOn(store.address, (message) => messages.push(message));
    const queue = await parts.openQueue({ name, run, concurrency });
    opened.push(async () => {
      await queue.close();
      await parts.close();
    });
    return queue;
  }

  /** Run by `note`, of which the first waits until `held` is over. */
  async function openHolding({ note, jobs }: ReturnType<typeof notebook>, held: Promise<void>): Promise<Queue> {
    return open(async (id) => {
      await note(id);
      if (jobs.length === 1) await held;
    });
  }

  test('jobs run once, one after the other', async () => {
    const { note, seen, jobs } = notebook();
    const queue = await open(note);
    await queue.add({ id: 'round-7' });
    await queue.add({ id: 'last' });
    await seen(2);
    expect(jobs).toEqual(['round-7', 'last']);
  });

  test('a job that waits when its process stops is run by the next one', async () => {
    const notes = notebook();
    const held = Promise.withResolvers<void>();
    const first = await openHolding(notes, held.promise);
    await first.add({ id: 'a' });
    await first.add({ id: 'b' });
    await notes.seen(1);
    const closed = first.close();
    held.resolve();
    await closed;
    await open(notes.note);
    expect(await notes.seen(2)).toEqual(['a', 'b']);
  });

  describe('second job with an id', () => {
    test('a second job with an id is dropped while the first waits or runs', async () => {
      const notes = notebook();
      const held = Promise.withResolvers<void>();
      const queue = await openHolding(notes, held.promise);
      await queue.add({ id: 'running' });
      await notes.seen(1);
      await queue.add({ id: 'running' });
      await queue.add({ id: 'next' });
      await queue.add({ id: 'next' });
      await queue.add({ id: 'put-off', delayMs: 50 });
      await queue.add({ id: 'put-off' });
      held.resolve();
      expect(await notes.seen(3)).toEqual(['running', 'next', 'put-off']);
      await queue.add({ id: 'running' });
      expect((await notes.seen(4)).at(3)).toBe('running');
    });

    test('a second job with an id is dropped while the first waits for a retry', async () => {
      const { note, seen } = notebook();
      const queue = await open(async (id) => {
        await note(id);
        if (id === 'failing' && (await seen(1)).length === 1) throw new Error('not yet');
      });
      await queue.add({ id: 'failing' });
      await queue.add({ id: 'other' });
      await seen(2);
      await queue.add({ id: 'failing' });
      await queue.add({ id: 'end', delayMs: 2_000 });
      expect(await seen(4)).toEqual(['failing', 'other', 'failing', 'end']);
    });
  });

  test('a failed job is retried every second, and others pass it meanwhile', async () => {
    const { note, seen } = notebook();
    const startedAt: number[] = [];
    const queue = await open(async (id) => {
      await note(id);
      if (id !== 'hard') return;
      startedAt.push(performance.now());
      if (startedAt.length < 3) throw new RangeError(`failure ${startedAt.length}`);
    });
    await queue.add({ id: 'hard' });
    await queue.add({ id: 'easy' });
    expect(await seen(4)).toEqual(['hard', 'easy', 'hard', 'hard']);
    const waits = startedAt.slice(1).map((at, place) => at - (startedAt[place] ?? 0));
    for (const wait of waits) expect(wait).toBeGreaterThan(985);
  });

  test('a job that sets its retry time is retried then, and listed with its error until then', async () => {
    const attempts: number[] = [];
    const queue = await open(async () => {
      attempts.push(performance.now());
      if (attempts.length === 1) throw new RetryLater('No candles yet.', 2_000);
    });
    await queue.add({ id: 'asking' });
    const listed = await until('the failed attempt', async () => {
      const jobs = await queue.jobs();
      return jobs.some(({ state }) => state === 'delayed') && jobs;
    });
    expect(listed).toEqual([{ id: 'asking', state: 'delayed', attempts: 1, lastError: 'No candles yet.' }]);
    await until('it is done', async () => (await queue.jobs()).length === 0);
    const [first = 0, second = 0, third] = attempts;
    expect(third).toBeUndefined();
    // Without a time of its own it would be retried after a second.
    expect(second - first).toBeGreaterThan(1_985);
  });

  test('jobs run concurrently up to the configured number', async () => {
    const { note, seen, jobs } = notebook();
    const held = Promise.withResolvers<void>();
    const queue = await open(async (id) => {
      await note(id);
      await held.promise;
    }, 2);
    for (const id of ['one', 'two', 'three']) await queue.add({ id });
    await seen(2);
    expect(await queue.counts()).toEqual({ waiting: 1, delayed: 0, active: 2, failed: 0 });
    expect(jobs).toHaveLength(2);
    held.resolve();
    expect((await seen(3)).toSorted()).toEqual(['one', 'three', 'two']);
  });

  test('a delayed job runs after its delay, and delays no other', async () => {
    const { note, seen } = notebook();
    const queue = await open(note);
    const start = performance.now();
    await queue.add({ id: 'later', delayMs: 400 });
    await queue.add({ id: 'now' });
    expect(await seen(2)).toEqual(['now', 'later']);
    expect(performance.now() - start).toBeGreaterThan(385);
  });

  test('close() waits for the running job and starts no other', async () => {
    const { note, seen } = notebook();
    const held = Promise.withResolvers<void>();
    const order: string[] = [];
    const queue = await open(async (id) => {
      await note(id);
      await held.promise;
      order.push(`done ${id}`);
    });
    await queue.add({ id: 'first' });
    await queue.add({ id: 'second' });
    await seen(1);
    const closed = queue.close().then(() => order.push('closed'));
    held.resolve();
    await closed;
    expect(order).toEqual(['done first', 'closed']);
  });

  test('a job of a killed process is run again by another within 20 s', async () => {
    const child = spawn(process.execPath, [OWNER, JSON.stringify(store.address), name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    expect(line).toBe('started lost');
    const { note, seen, jobs } = notebook();
    await open(note);
    expect(jobs).toEqual([]);
    const start = performance.now();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await seen(1)).toEqual(['lost']);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('a process without workers adds jobs, and counts them over all processes', async () => {
    const notes = notebook();
    const adder = await open(null);
    await adder.add({ id: 'now' });
    await adder.add({ id: 'later', delayMs: 60_000 });
    expect(await adder.counts()).toEqual({ waiting: 1, delayed: 1, active: 0, failed: 0 });
    const held = Promise.withResolvers<void>();
    const worker = await openHolding(notes, held.promise);
    await notes.seen(1);
    expect(await adder.counts()).toEqual({ waiting: 0, delayed: 1, active: 1, failed: 0 });
    held.resolve();
    await worker.close();
    expect(await adder.counts()).toEqual({ waiting: 0, delayed: 1, active: 0, failed: 0 });
  });

  test('a job added to several processes at once is run by one of them', async () => {
    const { note, seen, jobs } = notebook();
    const queues = await Promise.all([1, 2, 3].map(() => open(note)));
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(queues.map((queue) => queue.add({ id: `round-${round}`, delayMs: 100 })));
    }
    await seen(20);
    await Promise.all(queues.map((queue) => queue.close()));
    expect(jobs.toSorted()).toEqual(Array.from({ length: 20 }, (_, round) => `round-${round}`).toSorted());
  });

  test('a closed queue refuses jobs', async () => {
    const queue = await open(null);
    await queue.close();
    await expect(queue.add({ id: 'late' })).rejects.toThrow(QueueUnavailable);
    await expect(queue.counts()).rejects.toThrow(QueueUnavailable);
  });
});
