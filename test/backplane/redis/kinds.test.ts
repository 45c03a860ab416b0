import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { readRedisUrl } from '../../../src/backplane/redis/address.ts';
import { openRedis, watchOutage } from '../../../src/backplane/redis/client.ts';
import { startRedis } from '../../support/redis.ts';
import { startRedisTls } from '../../support/redis-tls.ts';
import { describeWithRedis } from '../../support/redis-installed.ts';
import { notebook } from '../notebook.ts';
import { until } from '../../support/poll.ts';
import { openLine } from './line.ts';
import { redisParts } from './parts.ts';

let closing: AsyncDisposableStack;
beforeEach(() => {
  closing = new AsyncDisposableStack();
});
afterEach(async () => {
  await closing.disposeAsync();
});

/** Two processes that do with the Redis at `url` all that the service does with one. */
async function useAll(url: string, messages: string[] = []) {
  const [one, other] = await Promise.all([redisParts(url, messages), redisParts(url, messages)]);
  for (const { close } of [one, other]) closing.defer(close);
  const { note, seen } = notebook();
  const adder = await one.openQueue({ name: 'jobs', run: null });
  const worker = await other.openQueue({ name: 'jobs', run: note });
  for (const queue of [adder, worker]) closing.defer(() => queue.close());
  const received = new Promise<void>((resolve) => other.bus.onNudge(resolve));
  one.bus.nudge();
  await received;
  expect(await one.limiter.count('register', 'ip:1')).toMatchObject({ remaining: 2 });
  expect(await other.limiter.count('register', 'ip:1')).toMatchObject({ remaining: 1 });
  await adder.add({ id: 'now' });
  await adder.add({ id: 'soon', delayMs: 50 });
  expect(await seen(2)).toEqual(['now', 'soon']);
  expect(one.status().map(({ part, driver, up }) => [part, driver, up])).toEqual([
    ['queue', 'redis', true],
    ['bus', 'redis', true],
    ['limiter', 'redis', true],
  ]);
  expect(messages).toEqual([]);
  return { adder, seen, one };
}

describeWithRedis('kinds of Redis', () => {
  test('processes share a server with a password, in the database of the address’s number', async () => {
    const redis = closing.use(
      await startRedis({ arguments: ['--requirepass', 'p@ss'], cli: ['-a', 'p@ss', '-n', '3'] }),
    );
    await useAll(`redis://:p%40ss@127.0.0.1:${redis.port}/3`);
    expect(await redis.cli('keys', '*')).toMatch(/hourcast:limit:register:ip:1/);
    expect(await redis.cli('-n', '0', 'dbsize')).toBe('0');
  });

  test('processes share a server with an account', async () => {
    const redis = closing.use(
      await startRedis({ arguments: ['--user', 'ann', 'on', '>pw', '~*', '&*', '+@all', '--user', 'default', 'off'] }),
    );
    await useAll(`redis://ann:pw@127.0.0.1:${redis.port}`);
  });

  test('a process whose account has no rights to channels reports it until it has them', async () => {
    const account = ['--user', 'ann', 'on', '>pw', '~*', 'resetchannels', '+@all'];
    const redis = closing.use(await startRedis({ arguments: account }));
    const messages: string[] = [];
    const parts = await redisParts(`redis://ann:pw@127.0.0.1:${redis.port}`, messages);
    closing.defer(parts.close);
    const isUp = () => parts.status().map(({ up }) => up);
    expect(isUp()).toEqual([true, false, true]);
    expect(messages).toEqual([expect.stringMatching(/^Redis is out of reach/)]);
    await redis.cli('acl', 'setuser', 'ann', '&*');
    await until('it hears others', () => isUp().every(Boolean));
    expect(messages).toHaveLength(2);
  });

  test('processes share a server with TLS and a given certificate', async () => {
    const { url } = closing.use(await startRedisTls());
    await useAll(url);
  });

  test('processes share the servers behind one address, also after a failover', async () => {
    const first = closing.use(await startRedis());
    const next = closing.use(await startRedis());
    const { url, passTo, close } = await openLine(first.port);
    closing.defer(close);
    const { adder, seen, one } = await useAll(url);
    await first.cli('replicaof', '127.0.0.1', String(next.port));
    passTo(next.port);
    await until('the processes found the next', async () => {
      await one.limiter.count('me', 'agent:1');
      return one.status().every(({ up }) => up) && (await next.cli('keys', '*')).includes('agent:1');
    });
    await adder.add({ id: 'with the next' });
    expect(await seen(3)).toEqual(['now', 'soon', 'with the next']);
  });
});

test.each([
  `READONLY You can't write against a read only replica.`,
  // By a script, before Redis 7.
  `ERR Error running script (call to f_1): @user_script:4: @user_script: 4: -READONLY You can't write against a read only replica.`,
])('a connection to a demoted Redis is made anew after: %s', (message) => {
  const address = readRedisUrl('redis://127.0.0.1:1');
  if (address === null) throw new Error('No address of Redis');
  const outage = watchOutage({ lost: () => {}, back: () => {} });
  const client = openRedis(address, 'commands', { name: 'commands', outage, isEnding: () => true });
  client.disconnect();
  expect(client.options.reconnectOnError?.(new Error(message))).toBe(true);
});

describeWithRedis('refusing Redis', () => {
  test.each(['redis://127.0.0.1:PORT', 'redis://:wrong@127.0.0.1:PORT'])(
    'the failure of %s is logged once with its reason',
    async (url) => {
      const redis = closing.use(await startRedis({ arguments: ['--requirepass', 'p@ss'] }));
      const messages: string[] = [];
      const { close, limiter, status } = await redisParts(url.replace('PORT', String(redis.port)), messages);
      closing.defer(close);
      expect(await limiter.count('register', 'ip:1')).toMatchObject({ remaining: 2 });
      expect(status().every(({ up }) => !up)).toBe(true);
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatch(/^Redis is out of reach/);
    },
  );
});
