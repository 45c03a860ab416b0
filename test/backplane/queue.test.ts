import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { type Queue, type QueueOptions, QueueUnavailable } from '../../src/backplane/backplane.ts';
import { HAS_REDIS } from '../support/redis-installed.ts';
import { notebook } from './notebook.ts';
import { partsOn, type Store, STORES } from './queue-drivers.ts';

const OWNER = join(import.meta.dirname, 'queue-owner.ts');

describe.each(['postgresql', ...(HAS_REDIS ? (['redis'] as const) : [])] as const)('a queue in %s', (driver) => {
  let store: Store;
  let opened: (() => Promise<void>)[];
  let told: string[];
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
    told = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((close) => close()));
    expect(told).toEqual([]);
  });

  async function open(run: QueueOptions['run'], more: Partial<QueueOptions> = {}): Promise<Queue> {
    const options = { name, concurrency: 1, ...more, run };
    const parts = await partsOn(store.address, (message) => told.push(message));
    const queue = await parts.openQueue(options);
    opened.push(async () => {
      await queue.close();
      await parts.close();
    });
    return queue;
  }

  test('a job runs, once, with its id and data', async () => {
    const { note, seen, jobs } = notebook();
    const queue = await open(async (job) => note(job));
    await queue.add({ id: 'round-7', data: { roundId: 7, hour: -1.5 } });
    await queue.add({ id: 'last', data: {} });
    await seen(2);
    expect(jobs).toEqual([
      { id: 'round-7', data: { roundId: 7, hour: -1.5 }, attempt: 1 },
      { id: 'last', data: {}, attempt: 1 },
    ]);
  });

  test('a job that still waits when its process stops is run by the next one', async () => {
    const { note, seen } = notebook();
    const held = Promise.withResolvers<void>();
    const first = await open(async (job) => {
      note(job);
      await held.promise;
    });
    await first.add({ id: 'a', data: { n: 1 } });
    await first.add({ id: 'b', data: { n: 2 } });
    await seen(1);
    const closed = first.close();
    held.resolve();
    await closed;
    await open(async (job) => note(job));
    expect((await seen(2)).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  describe('a second job with an id', () => {
    test('is not added while the first waits, nor while it runs, and is when it is done', async () => {
      const { note, seen, jobs } = notebook();
      const held = Promise.withResolvers<void>();
      const queue = await open(async (job) => {
        note(job);
        if (jobs.length === 1) await held.promise;
      });
      await queue.add({ id: 'running', data: { n: 1 } });
      await seen(1);
      await queue.add({ id: 'running', data: { n: 2 } });
      await queue.add({ id: 'next', data: { n: 3 } });
      await queue.add({ id: 'next', data: { n: 4 } });
      await queue.add({ id: 'put-off', data: { n: 5 }, delayMs: 50 });
      await queue.add({ id: 'put-off', data: { n: 6 } });
      held.resolve();
      await seen(3);
      expect(jobs.map(({ data }) => data['n'])).toEqual([1, 3, 5]);
      await queue.add({ id: 'running', data: { n: 7 } });
      expect((await seen(4)).at(3)).toEqual({ id: 'running', data: { n: 7 }, attempt: 1 });
    });

    test('is not added while the first waits for its next attempt', async () => {
      const { note, seen } = notebook();
      const queue = await open(async (job) => {
        note(job);
        if (job.id === 'failing' && job.attempt === 1) throw new Error('not yet');
      });
      await queue.add({ id: 'failing', data: { n: 1 } });
      await queue.add({ id: 'other', data: { n: 2 } });
      await seen(2);
      await queue.add({ id: 'failing', data: { n: 3 } });
      await queue.add({ id: 'end', data: { n: 4 }, delayMs: 2_000 });
      expect((await seen(4)).map(({ data }) => data['n'])).toEqual([1, 2, 1, 4]);
    });
  });

  test('a job is tried each second until it succeeds, and others pass it meanwhile', async () => {
    const { note, seen, jobs } = notebook();
    const startedAt: number[] = [];
    const queue = await open(async (job) => {
      note(job);
      if (job.id !== 'hard') return;
      startedAt.push(performance.now());
      if (job.attempt < 3) throw new RangeError(`failure ${job.attempt}`);
    });
    await queue.add({ id: 'hard', data: { n: 9 } });
    await queue.add({ id: 'easy', data: {} });
    await seen(4);
    expect(jobs.map(({ id, attempt, data }) => [id, attempt, data['n']])).toEqual([
      ['hard', 1, 9],
      ['easy', 1, undefined],
      ['hard', 2, 9],
      ['hard', 3, 9],
    ]);
    const waits = startedAt.slice(1).map((at, place) => at - (startedAt[place] ?? 0));
    for (const wait of waits) expect(wait).toBeGreaterThan(985);
  });

  test('a delayed job runs after its delay, and holds none back', async () => {
    const { note, seen } = notebook();
    const queue = await open(async (job) => note(job));
    const start = performance.now();
    await queue.add({ id: 'later', data: {}, delayMs: 400 });
    await queue.add({ id: 'now', data: {} });
    expect((await seen(2)).map(({ id }) => id)).toEqual(['now', 'later']);
    expect(performance.now() - start).toBeGreaterThan(385);
  });

  test('no more jobs run at once than told', async () => {
    const { note, seen, jobs } = notebook();
    const [held, third] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const queue = await open(
      async (job) => {
        note(job);
        if (jobs.length === 3) third.resolve();
        await held.promise;
      },
      { concurrency: 2 },
    );
    for (const id of ['a', 'b', 'c']) await queue.add({ id, data: {} });
    await seen(2);
    expect(jobs).toHaveLength(2);
    held.resolve();
    await third.promise;
    expect(jobs.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test('closing waits for the job under way and takes no more', async () => {
    const { note, seen } = notebook();
    const held = Promise.withResolvers<void>();
    const order: string[] = [];
    const queue = await open(async (job) => {
      note(job);
      await held.promise;
      order.push(`done ${job.id}`);
    });
    await queue.add({ id: 'first', data: {} });
    await queue.add({ id: 'second', data: {} });
    await seen(1);
    const closed = queue.close().then(() => order.push('closed'));
    held.resolve();
    await closed;
    expect(order).toEqual(['done first', 'closed']);
  });

  test('a job whose process is killed in the middle is run again by another, within 12 s', async () => {
    const child = spawn(process.execPath, [OWNER, JSON.stringify(store.address), name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    expect(line).toBe('started {"id":"lost","data":{"roundId":3},"attempt":1}');
    const { note, seen, jobs } = notebook();
    await open(async (job) => note(job));
    expect(jobs).toEqual([]);
    const start = performance.now();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await seen(1)).map(({ id, data }) => [id, data])).toEqual([['lost', { roundId: 3 }]]);
    expect(performance.now() - start).toBeLessThan(12_000);
  });

  test('a process that leaves the work to others adds jobs, and counts them over all processes', async () => {
    const { note, seen } = notebook();
    const adder = await open(null);
    await adder.add({ id: 'now', data: {} });
    await adder.add({ id: 'later', data: {}, delayMs: 60_000 });
    expect(await adder.counts()).toEqual({ waiting: 1, delayed: 1, active: 0, failed: 0 });
    const held = Promise.withResolvers<void>();
    const worker = await open(async (job) => {
      note(job);
      await held.promise;
    });
    await seen(1);
    expect(await adder.counts()).toEqual({ waiting: 0, delayed: 1, active: 1, failed: 0 });
    held.resolve();
    await worker.close();
    expect(await adder.counts()).toEqual({ waiting: 0, delayed: 1, active: 0, failed: 0 });
  });

  test('a job that was added to several processes at once is run by one of them', async () => {
    const { note, seen, jobs } = notebook();
    const queues = await Promise.all([1, 2, 3].map(() => open(async (job) => note(job))));
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(queues.map((queue) => queue.add({ id: `round-${round}`, data: {}, delayMs: 100 })));
    }
    await seen(20);
    await Promise.all(queues.map((queue) => queue.close()));
    expect(jobs.map(({ id }) => id).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, round) => `round-${round}`).toSorted(),
    );
  });

  test('a closed queue refuses', async () => {
    const queue = await open(null);
    await queue.close();
    await expect(queue.add({ id: 'late', data: {} })).rejects.toThrow(QueueUnavailable);
    await expect(queue.counts()).rejects.toThrow(QueueUnavailable);
  });
});
