import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { Bus, Limiter } from '../../src/backplane/backplane.ts';
import { localBus, memoryLimiter } from '../../src/backplane/local.ts';
import { LIMITS } from '../../src/limits.ts';
import { startRedis } from '../support/redis.ts';
import { describeWithRedis, HAS_REDIS } from '../support/redis-installed.ts';
import { redisParts } from './redis/parts.ts';

let closing: AsyncDisposableStack;
beforeEach(() => {
  closing = new AsyncDisposableStack();
});
afterEach(async () => {
  await closing.disposeAsync();
});

/** As many processes as asked, of one service in a Redis of the test's own. */
async function processes(count: number) {
  const redis = closing.use(await startRedis());
  const parts = await Promise.all(Array.from({ length: count }, () => redisParts(redis.url)));
  for (const { close } of parts) closing.defer(close);
  return { redis, parts };
}

const first = async <Part>(parts: readonly Part[]): Promise<Part> => {
  const [part] = parts;
  if (part === undefined) throw new Error('No process was started');
  return part;
};

const BUSES: Readonly<Record<string, () => Promise<Bus>>> = {
  local: async () => localBus(),
  ...(HAS_REDIS && { redis: async () => (await first((await processes(1)).parts)).bus }),
};

describe.each(Object.keys(BUSES))('%s bus', (name) => {
  test('the bus sends nudges and changes to every listener of this process until it leaves', async () => {
    const bus = await BUSES[name]?.();
    const received: string[] = [];
    const leave = [bus?.onNudge(() => received.push('one')), bus?.onChange((change) => received.push(change))];
    bus?.onNudge(() => received.push('two'));
    bus?.nudge();
    bus?.publish('entries');
    bus?.publish('names');
    expect(received).toEqual(['one', 'two', 'entries', 'names']);
    for (const end of leave) end?.();
    bus?.nudge();
    bus?.publish('entries');
    expect(received).toEqual(['one', 'two', 'entries', 'names', 'two']);
  });
});

const LIMITERS: Readonly<Record<string, () => Promise<Limiter>>> = {
  memory: async () => memoryLimiter(),
  ...(HAS_REDIS && { redis: async () => (await first((await processes(1)).parts)).limiter }),
};

describe.each(Object.keys(LIMITERS))('%s limiter', (name) => {
  let limiter: Limiter;
  beforeEach(async () => {
    const opened = await LIMITERS[name]?.();
    if (opened === undefined) throw new Error('No limiter');
    limiter = opened;
  });

  test('the limiter counts down to zero, then returns the end of the window', async () => {
    const { requests, windowMs } = LIMITS.register;
    for (let left = requests - 1; left >= 0; left -= 1) {
      expect(await limiter.count('register', 'ip:1')).toEqual({
        limit: requests,
        remaining: left,
        resetSeconds: expect.any(Number),
        retryAfterSeconds: null,
      });
    }
    const over = await limiter.count('register', 'ip:1');
    expect(over).toMatchObject({ limit: requests, remaining: 0 });
    expect(over?.retryAfterSeconds).toBeGreaterThan(windowMs / 1000 - 60);
    expect(over?.retryAfterSeconds).toBeLessThanOrEqual(windowMs / 1000);
    expect(over?.resetSeconds).toBe(over?.retryAfterSeconds);
  });

  test('the limiter counts every key and limit separately', async () => {
    await limiter.count('register', 'ip:1');
    expect(await limiter.count('register', 'ip:2')).toMatchObject({ remaining: LIMITS.register.requests - 1 });
    expect(await limiter.count('stats', 'ip:1')).toMatchObject({ remaining: LIMITS.stats.requests - 1 });
  });

  test('a peek returns the running window and counts nothing', async () => {
    expect(await limiter.peek('register', 'ip:1')).toBeNull();
    for (let used = 0; used < LIMITS.register.requests; used += 1) await limiter.count('register', 'ip:1');
    const left = { limit: LIMITS.register.requests, remaining: 0, retryAfterSeconds: null };
    expect(await limiter.peek('register', 'ip:1')).toMatchObject(left);
    await limiter.count('register', 'ip:1');
    expect(await limiter.peek('register', 'ip:1')).toMatchObject(left);
    expect(await limiter.peek('register', 'ip:2')).toBeNull();
    await limiter.count('stats', 'ip:1', 20);
    await limiter.peek('stats', 'ip:1');
    expect(await limiter.count('stats', 'ip:1')).toMatchObject({ remaining: LIMITS.stats.requests - 21 });
  });

  test('the limiter admits no more concurrent than successive requests', async () => {
    const counts = await Promise.all(Array.from({ length: 100 }, () => limiter.count('me', 'agent:1')));
    expect(counts.filter((one) => one?.retryAfterSeconds === null)).toHaveLength(LIMITS.me.requests);
  });
});

describeWithRedis('shared Redis', () => {
  test('processes get each other’s nudges, and their own once', async () => {
    const { parts } = await processes(3);
    const received = parts.map(() => 0);
    const all = Promise.withResolvers<void>();
    for (const [place, { bus }] of parts.entries()) {
      bus.onNudge(() => {
        received[place] = (received[place] ?? 0) + 1;
        if (received.every((count) => count >= 2)) all.resolve();
      });
    }
    parts[0]?.bus.nudge();
    parts[1]?.bus.nudge();
    await all.promise;
    expect(received).toEqual([2, 2, 2]);
  });

  test('processes get changes of others, each kind once per batch', async () => {
    const { parts } = await processes(2);
    const [here, there] = parts;
    const received: string[] = [];
    const both = Promise.withResolvers<void>();
    there?.bus.onChange((change) => {
      received.push(change);
      if (received.length === 2) both.resolve();
    });
    there?.bus.onNudge(() => received.push('nudge'));
    for (let n = 0; n < 100; n += 1) here?.bus.publish(n % 2 === 0 ? 'entries' : 'names');
    await both.promise;
    const nudged = new Promise<void>((resolve) => here?.bus.onNudge(resolve));
    there?.bus.nudge();
    await nudged;
    expect(received).toEqual(['entries', 'names', 'nudge']);
  });

  test('processes share limits', async () => {
    const { parts } = await processes(2);
    const counts = await Promise.all(
      Array.from({ length: 60 }, async (_, place) => parts[place % 2]?.limiter.count('me', 'agent:1')),
    );
    expect(counts.filter((one) => one?.retryAfterSeconds === null)).toHaveLength(LIMITS.me.requests);
  });

  test('two services are separated by prefix and database number', async () => {
    const { redis, parts } = await processes(1);
    const here = await first(parts);
    const others = await Promise.all([redisParts(`${redis.url}?prefix=staging`), redisParts(`${redis.url}/1`)]);
    for (const { close } of others) closing.defer(close);
    const received: string[] = [];
    for (const { bus } of others) bus.onNudge(() => received.push('another service'));
    const own = await redisParts(redis.url);
    closing.defer(own.close);
    const nudged = new Promise<void>((resolve) => own.bus.onNudge(resolve));
    here.bus.nudge();
    await nudged;
    await here.limiter.count('me', 'agent:1');
    for (const { limiter } of others) {
      expect(await limiter.count('me', 'agent:1')).toMatchObject({ remaining: LIMITS.me.requests - 1 });
    }
    expect(received).toEqual([]);
  });
});

test('the limiter in memory has a maximum of windows, and evicts the oldest', async () => {
  const limiter = memoryLimiter(3);
  const remaining = async (key: string) => (await limiter.count('register', key))?.remaining;
  const seen = [];
  for (const key of ['a', 'b', 'c', 'a', 'd', 'b', 'a']) seen.push([key, await remaining(key)]);
  expect(seen).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 2],
    ['a', 1],
    ['d', 2],
    ['b', 1],
    ['a', 2],
  ]);
});
