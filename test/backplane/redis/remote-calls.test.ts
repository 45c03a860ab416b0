import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { until } from '../../support/poll.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { describeWithRedis } from '../../support/redis-installed.ts';
import { openLine } from './line.ts';
import { redisParts } from './parts.ts';

let closing: AsyncDisposableStack;
let redis: TestRedis;
let reported: string[];

const dataOf = (name: string, n: number) => ({ name, n });

/** A process that makes and handles calls. */
async function opened(url = redis.url) {
  const { relay, close } = await redisParts(url, reported);
  closing.defer(close);
  if (relay === null) throw new Error('Redis has no relay');
  return { ...relay, close };
}

describeWithRedis('remote calls in Redis', () => {
  beforeEach(async () => {
    closing = new AsyncDisposableStack();
    redis = closing.use(await startRedis());
    reported = [];
  });
  afterEach(() => closing.disposeAsync());

  test('each returns to the process that made it, many at once, and leaves no job', async () => {
    const [caller, also, handler] = await Promise.all([opened(), opened(), opened()]);
    handler.handleCalls(async (data) => ({ data }));
    const all = Array.from({ length: 60 }, (_, n) => [
      caller.call(dataOf('one', n)),
      also.call(dataOf('also', n)),
    ]).flat();
    const found = await Promise.all(all);
    expect(found).toEqual(
      Array.from({ length: 60 }, (_, n) => [{ data: dataOf('one', n) }, { data: dataOf('also', n) }]).flat(),
    );
    await until('no job is left', async () => (await redis.cli('keys', '{hourcast}:questions:process-*')) === '');
    expect(reported).toEqual([]);
  });

  test('a fault of the handling process is the error of the call', async () => {
    const [caller, handler] = await Promise.all([opened(), opened()]);
    handler.handleCalls(() => Promise.reject(new Error('broken off')));
    await expect(caller.call({})).rejects.toThrow('broken off');
  });

  test('one that waits is given up at the end of its process', async () => {
    const caller = await opened();
    const waiting = caller.call({ n: 1 });
    await until('it waits', async () => (await redis.cli('llen', '{hourcast}:questions:wait')) === '1');
    const given = expect(waiting).rejects.toThrow('The process stops');
    caller.stopCalling();
    await given;
    await expect(caller.call({ n: 2 })).rejects.toThrow('The process stops');
  });

  test('none waits while Redis does not answer', async () => {
    const caller = await opened();
    redis.freeze();
    await expect(caller.call({ n: 1 })).rejects.toThrow('Command timed out');
    redis.wake();
  });

  test('a process handles calls again after its connections fell silent', async () => {
    const line = await openLine(redis.port);
    closing.defer(line.close);
    const [caller, handler] = await Promise.all([opened(), opened(line.url)]);
    handler.handleCalls(async (data) => data);
    expect(await caller.call({ n: 1 })).toEqual({ n: 1 });
    line.sever();
    const result = () => caller.call({ n: 2 }).catch(() => null);
    expect(await until('a handled call', result, 60_000)).toEqual({ n: 2 });
  });

  test('at most 1,000 of a process wait', async () => {
    const caller = await opened();
    const all = Array.from({ length: 1_001 }, (_, n) => caller.call({ n }));
    const settled = Promise.allSettled(all);
    await expect(all.at(-1)).rejects.toThrow('1000 calls wait for processes with a database');
    await caller.close();
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toEqual([]);
  });
});
