import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, predict, register } from '../support/agents.ts';
import { expectRefusal } from '../support/refusals.ts';
import { ALL_ENDPOINTS, named, pathWith } from '../support/spec-endpoints.ts';
import { sharedService } from '../support/shared.ts';

const STRANGE_KEY = `pk_live_${'0'.repeat(48)}`;

const service = sharedService();
let player: Player;

beforeAll(async () => {
  player = await register(service, 'player');
  await predict(service, player);
});

describe.each(named(ALL_ENDPOINTS.filter(({ needsKey }) => needsKey)))('%s', (_, { method, path }) => {
  test('a request without a key gets 401', async () => {
    expectRefusal(await service.request(method, path), 401, /key/);
  });

  test('an unknown key gets 401', async () => {
    expectRefusal(await service.request(method, path, { key: STRANGE_KEY }), 401, /key/);
  });

  test.each([
    ['no scheme', () => player.key],
    ['another scheme', () => `Basic ${player.key}`],
    ['nothing after the scheme', () => 'Bearer'],
    ['half a key', () => `Bearer ${player.key.slice(0, 30)}`],
    ['a key and more', () => `Bearer ${player.key}0`],
    ['two keys', () => `Bearer ${player.key}, Bearer ${player.key}`],
    ['a key without its prefix', () => `Bearer ${player.key.slice(8)}`],
    ['an injection', () => `Bearer ' or 1=1 --`],
  ])('a request with %s gets 401', async (_name, authorization) => {
    expectRefusal(await service.request(method, path, { headers: { authorization: authorization() } }), 401, /key/);
  });

  test('a key in the query or in another header is ignored', async () => {
    const query = `?api_key=${player.key}&key=${player.key}`;
    expectRefusal(await service.request(method, path + query, { headers: { 'x-api-key': player.key } }), 401);
  });
});

test('authentication runs before the body is read', async () => {
  const { key } = { key: STRANGE_KEY };
  expectRefusal(await service.request('POST', '/api/predictions', { key, body: '{broken' }), 401);
  expectRefusal(await service.request('POST', '/api/predictions', { key, body: 'x'.repeat(40_000) }), 401);
  expectRefusal(
    await service.request('POST', '/api/predictions', { key, body: 'x', headers: { 'content-type': 'text/plain' } }),
    401,
  );
});

test.each(named(ALL_ENDPOINTS.filter(({ needsKey, method }) => !needsKey && method === 'GET')))(
  '%s needs no key and accepts a wrong one',
  async (_, row) => {
    await service.nextHour();
    expect((await service.request('GET', pathWith(row))).status).toBe(200);
    expect((await service.request('GET', pathWith(row), { key: STRANGE_KEY })).status).toBe(200);
  },
);
