import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { until } from '../../support/poll.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { describeWithRedis } from '../../support/redis-installed.ts';
import { redisParts } from './parts.ts';

let closing: AsyncDisposableStack;
let redis: TestRedis;
let reported: string[];

const asked = (name: string, n: number) => ({ name, n });

/** What a process asks and answers with. */
async function opened() {
  const { relay, close } = await redisParts(redis.url, reported);
  closing.defer(close);
  if (relay === null) throw new Error('Redis has no relay');
  return { ...relay, close };
}

describeWithRedis('questions in Redis', () => {
  beforeEach(async () => {
    closing = new AsyncDisposableStack();
    redis = closing.use(await startRedis());
    reported = [];
  });
  afterEach(() => closing.disposeAsync());

  test('each is answered to the process that asked it, many at once, and leaves no job', async () => {
    const [asks, also, answers] = await Promise.all([opened(), opened(), opened()]);
    answers.answer(async (question) => ({ question }));
    const all = Array.from({ length: 60 }, (_, n) => [asks.ask(asked('asks', n)), also.ask(asked('also', n))]).flat();
    const found = await Promise.all(all);
    expect(found).toEqual(
      Array.from({ length: 60 }, (_, n) => [{ question: asked('asks', n) }, { question: asked('also', n) }]).flat(),
    );
    await until('no job is left', async () => (await redis.cli('keys', '{hourcast}:questions:process-*')) === '');
    expect(reported).toEqual([]);
  });

  test('a fault of the answering process is the error of the question', async () => {
    const [asks, answers] = await Promise.all([opened(), opened()]);
    answers.answer(() => Promise.reject(new Error('broken off')));
    await expect(asks.ask({})).rejects.toThrow('broken off');
  });

  test('one that waits is given up at the end of its process', async () => {
    const asks = await opened();
    const waiting = asks.ask({ n: 1 });
    await until('it waits', async () => (await redis.cli('llen', '{hourcast}:questions:wait')) === '1');
    const given = expect(waiting).rejects.toThrow('The process stops');
    asks.stopAsking();
    await given;
    await expect(asks.ask({ n: 2 })).rejects.toThrow('The process stops');
  });

  test('none waits while Redis does not answer', async () => {
    const asks = await opened();
    redis.freeze();
    await expect(asks.ask({ n: 1 })).rejects.toThrow('Command timed out');
    redis.wake();
  });

  test('at most 1,000 of a process wait', async () => {
    const asks = await opened();
    const all = Array.from({ length: 1_001 }, (_, n) => asks.ask({ n }));
    const settled = Promise.allSettled(all);
    await expect(all.at(-1)).rejects.toThrow('1000 questions wait for processes with a database');
    await asks.close();
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toEqual([]);
  });
});
