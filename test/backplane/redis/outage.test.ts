import { setImmediate } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { type Backplane, CHANGES, type Queue, QueueUnavailable } from '../../../src/backplane/backplane.ts';
import { freePort, startRedis, type TestRedis } from '../../support/redis.ts';
import { describeWithRedis } from '../../support/redis-installed.ts';
import { notebook } from '../notebook.ts';
import { until } from '../../support/poll.ts';
import { openLine } from './line.ts';
import { redisParts } from './parts.ts';

/** What an operator hears of an outage, whole. */
const AN_OUTAGE = [expect.stringMatching(/^Redis is out of reach: /), 'Redis is back'];

let redis: TestRedis;
let messages: string[];
let opened: (() => Promise<void>)[];

beforeEach(async () => {
  redis = await startRedis();
  messages = [];
  opened = [];
});

afterEach(async () => {
  for (const close of opened.toReversed()) await close();
  await redis[Symbol.asyncDispose]();
});

async function open(url = redis.url): Promise<Backplane> {
  const parts = await redisParts(url, messages);
  opened.push(() => parts.close());
  return parts;
}

async function queueOn(parts: Backplane, run: (id: string) => Promise<void> | void): Promise<Queue> {
  const queue = await parts.openQueue({ name: 'jobs', run: async (id) => run(id) });
  opened.push(() => queue.close());
  return queue;
}

const isUp = ({ status }: Backplane) => status().every(({ up }) => up);
const isDown = ({ status }: Backplane) => status().every(({ up }) => !up);

async function took(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

describeWithRedis('killed Redis', () => {
  test('jobs are refused and requests counted locally, with one log line, until Redis is back', async () => {
    const { note, seen } = notebook();
    const parts = await open();
    const queue = await queueOn(parts, note);
    await queue.add({ id: 'before' });
    await seen(1);
    await until('the job done', async () => (await queue.counts()).active === 0);
    await redis.kill();
    await until('the outage is known', () => isDown(parts));
    const refusals = Array.from({ length: 50 }, (_, n) =>
      expect(queue.add({ id: `${n}` })).rejects.toThrow(QueueUnavailable),
    );
    const counts = Array.from({ length: 50 }, () => parts.limiter.count('me', 'agent:1'));
    expect(await took(Promise.all([...refusals, ...counts]))).toBeLessThan(900);
    const over = await Promise.all(counts);
    expect(over.filter((allowance) => allowance?.retryAfterSeconds !== null)).toHaveLength(20);
    parts.bus.nudge();
    await expect(queue.counts()).rejects.toThrow(QueueUnavailable);
    expect(messages).toEqual(AN_OUTAGE.slice(0, 1));

    await redis.start();
    await until('Redis is known to be back', () => isUp(parts));
    await queue.add({ id: 'after' });
    expect(await seen(2)).toEqual(['before', 'after']);
    expect(await parts.limiter.count('me', 'agent:1')).toMatchObject({ remaining: 29 });
    expect(messages).toEqual(AN_OUTAGE);
  });

  test('a process starts without Redis, with a log line, and works when it comes', async () => {
    await redis.kill();
    const parts = await open();
    expect(messages).toEqual(AN_OUTAGE.slice(0, 1));
    const { note, seen } = notebook();
    const queue = await queueOn(parts, note);
    await expect(queue.add({ id: 'early' })).rejects.toThrow(QueueUnavailable);
    await redis.start();
    const other = await open();
    await until('Redis is known to be there', () => isUp(parts));
    const received = Promise.withResolvers<void>();
    parts.bus.onNudge(received.resolve);
    const nudging = setInterval(other.bus.nudge, 20);
    await received.promise;
    clearInterval(nudging);
    await queue.add({ id: 'job' });
    expect(await seen(1)).toEqual(['job']);
    expect(messages).toEqual(AN_OUTAGE);
  });

  test('a process hears others again after its connection for messages was cut', async () => {
    const [hears, speaks] = await Promise.all([open(), open()]);
    let heardAgain = 0;
    for (let cuts = 0; cuts < 2; cuts++) {
      await redis.cli('client', 'kill', 'type', 'pubsub');
      const received = Promise.withResolvers<void>();
      const leave = hears.bus.onNudge(received.resolve);
      const nudging = setInterval(speaks.bus.nudge, 20);
      await received.promise;
      clearInterval(nudging);
      leave();
      heardAgain += 1;
    }
    expect(heardAgain).toBe(2);
  });

  test('a process whose connection for messages was cut hears every change, since it may have missed them', async () => {
    const parts = await open();
    const received: string[] = [];
    parts.bus.onChange((change) => received.push(change));
    await redis.cli('client', 'kill', 'type', 'pubsub');
    await until('every change is received', () => received.length === CHANGES.length);
    expect(received).toEqual(CHANGES);
  });

  test.each(['before', 'after'])('a process stops quickly when Redis died %s the start', async (when) => {
    if (when === 'before') await redis.kill();
    const parts = await open();
    const held = Promise.withResolvers<void>();
    const queue = await queueOn(parts, () => held.promise);
    if (when === 'after') {
      await queue.add({ id: 'running' });
      await until('the job runs', async () => (await queue.counts()).active === 1);
      await redis.kill();
      await until('the outage is known', () => isDown(parts));
    }
    held.resolve();
    expect(await took(queue.close().then(() => parts.close()))).toBeLessThan(8000);
  });
});

describeWithRedis('unresponsive Redis', () => {
  test('a process stops without an unhandled rejection while its subscription has no answer', async () => {
    const line = await openLine(redis.port);
    opened.push(line.close);
    const parts = await open(line.url);
    line.lose('subscribe');
    await redis.cli('client', 'kill', 'type', 'pubsub');
    await until('Redis is out of reach, and back', () => messages.length === AN_OUTAGE.length);
    // Jest fails a test with an unhandled rejection, which Node looks for after the microtasks of a turn.
    await parts.close();
    await setImmediate();
    expect(messages).toEqual(AN_OUTAGE);
  });

  test('a frozen Redis delays callers by a second at most, and soon not at all', async () => {
    const parts = await open();
    const queue = await queueOn(parts, () => {});
    redis.freeze();
    expect(await took(parts.limiter.count('me', 'agent:1'))).toBeLessThan(4000);
    await expect(queue.add({ id: 'a' })).rejects.toThrow(QueueUnavailable);
    await until('the silence is known', () => isDown(parts));
    expect(await took(parts.limiter.count('me', 'agent:1'))).toBeLessThan(900);
    expect(messages).toEqual(AN_OUTAGE.slice(0, 1));
    redis.wake();
    await until('Redis is known to be back', () => isUp(parts));
    expect(messages).toEqual(AN_OUTAGE);
  });

  test('an emptied Redis accepts jobs again, also one that was running', async () => {
    const { note, seen } = notebook();
    const held = Promise.withResolvers<void>();
    const parts = await open();
    const queue = await queueOn(parts, async (id) => {
      await note(id);
      if (id === 'running') await held.promise;
    });
    await queue.add({ id: 'running' });
    await queue.add({ id: 'waiting-1' });
    await seen(1);
    await redis.cli('flushall');
    await queue.add({ id: 'waiting-1' });
    held.resolve();
    await seen(2);
    await queue.add({ id: 'running' });
    expect(await seen(3)).toEqual(['running', 'waiting-1', 'running']);
  });

  test('a full Redis makes limits count locally, and jobs are refused', async () => {
    const parts = await open();
    const queue = await queueOn(parts, () => {});
    await redis.cli('config', 'set', 'maxmemory', '1');
    expect(await parts.limiter.count('me', 'agent:1')).toMatchObject({ remaining: 29 });
    await expect(queue.add({ id: 'a' })).rejects.toThrow(QueueUnavailable);
    await redis.cli('config', 'set', 'maxmemory', '0');
    await queue.add({ id: 'a' });
    await until('limits are counted in Redis again', async () => {
      await parts.limiter.count('me', 'agent:2');
      return isUp(parts);
    });
    expect(messages.filter((line) => !line.startsWith('The job queue'))).toEqual(AN_OUTAGE);
  });

  test('an unreachable address is logged once', async () => {
    const parts = await open(`redis://127.0.0.1:${await freePort()}`);
    expect(isDown(parts)).toBe(true);
    expect(messages).toEqual(AN_OUTAGE.slice(0, 1));
  });
});
