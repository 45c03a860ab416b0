import { afterEach, expect, test } from '@jest/globals';

import { localBus } from '../../src/backplane/local.ts';
import { redisParts } from '../backplane/redis/parts.ts';
import { predict, register } from '../support/agents.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/poll.ts';
import { startRedis } from '../support/redis.ts';
import { HAS_REDIS } from '../support/redis-installed.ts';
import { expectRefusal } from '../support/refusals.ts';
import { startService } from '../support/service.ts';
import { act, TOKEN } from './admin.ts';

let opened: AsyncDisposableStack;
afterEach(() => opened.disposeAsync());

/** What two processes are told by: nothing that the other hears, or one Redis. */
const BUSES = {
  'no Redis': async () => [localBus(), localBus()],
  ...(HAS_REDIS && {
    'one Redis': async () => {
      const redis = opened.use(await startRedis());
      const parts = await Promise.all([redisParts(redis.url), redisParts(redis.url)]);
      for (const { close } of parts) opened.defer(close);
      return parts.map(({ bus }) => bus);
    },
  }),
};

test.each(Object.entries(BUSES))('an action on an agent takes effect in the other process with %s', async (_, open) => {
  opened = new AsyncDisposableStack();
  const database = await createTestDatabase();
  opened.defer(() => database.drop());
  const services = [];
  for (const bus of await open()) {
    const service = await startService({ database, bus, adminToken: TOKEN });
    opened.defer(() => service.stop());
    services.push(service);
  }
  const [here, there] = services;
  if (here === undefined || there === undefined) throw new Error('Two processes are started');
  const player = await register(here, 'player');
  // The other process knows the key, and has answered with the name.
  expect((await there.request('GET', '/api/me', { key: player.key })).status).toBe(200);
  const nameThere = async () => (await there.request('GET', `/api/agents/${player.id}`)).body.agent.name;
  expect(await nameThere()).toBe('player');

  await act(here, 'block', player.id, 'Enough');
  expectRefusal(await predict(there, player), 403, /Enough/);
  await act(here, 'unblock', player.id);
  expect((await predict(there, player)).status).toBe(201);

  await act(here, 'rename', player.id, 'Better', { name: 'renamed' });
  there.clock.set(new Date(there.clock.now().getTime() + 1_000));
  await until('the other process shows the name', async () => (await nameThere()) === 'renamed');

  const { api_key: key } = (await act(here, 'rekey', player.id)).body;
  expect((await there.request('GET', '/api/me', { key: player.key })).status).toBe(401);
  expect((await there.request('GET', '/api/me', { key })).status).toBe(200);
});
