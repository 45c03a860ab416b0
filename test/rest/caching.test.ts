import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { predict, register } from '../support/agents.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

function caching(headers: Headers) {
  return { control: headers.get('cache-control'), etag: headers.get('etag') };
}

const run = (query: string, key?: string) => service.request('POST', '/graphql', { body: { query }, key });

const NOT_KEPT = { control: 'no-store', etag: null };

describe('answers with a key are not cached', () => {
  test('REST answers with a key have no-store', async () => {
    const registered = await service.request('POST', '/api/agents/register', { body: { name: 'keeper' } });
    expect(registered.status).toBe(201);
    expect(registered.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(caching(registered.headers)).toEqual(NOT_KEPT);
    const rotated = await service.request('POST', '/api/me/rotate-key', { key: registered.body.api_key });
    expect(rotated.status).toBe(200);
    expect(caching(rotated.headers)).toEqual(NOT_KEPT);
  });

  test('GraphQL answers with a key have no-store', async () => {
    const registered = await run('mutation { register(name: "graph-keeper") { apiKey } }');
    expect(caching(registered.headers)).toEqual(NOT_KEPT);
    const rotated = await run('mutation { rotateKey { apiKey } }', registered.body.data.register.apiKey);
    expect(rotated.body.data.rotateKey.apiKey).toMatch(/^pk_live_/);
    expect(caching(rotated.headers)).toEqual(NOT_KEPT);
  });
});

test('the answer to a submission has no-store', async () => {
  const { headers } = await predict(service, await register(service, 'submitter'));
  expect(caching(headers)).toEqual(NOT_KEPT);
});

test('a GET answer has an ETag, and returns 304 for it', async () => {
  const { headers } = await service.request('GET', '/api/leaderboard');
  const etag = headers.get('etag') ?? '';
  expect(etag).not.toBe('');
  // fetch itself asks past every cache otherwise.
  const again = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
  expect((await service.request('GET', '/api/leaderboard', { headers: again })).status).toBe(304);
});

test('the own profile returns 304 until something changes it', async () => {
  const player = await register(service, 'changing');
  const ask = (headers = {}) => service.request('GET', '/api/me', { key: player.key, headers });
  const again = { 'if-none-match': (await ask()).headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
  expect((await ask(again)).status).toBe(304);
  expect((await predict(service, player)).status).toBe(201);
  const changed = await ask(again);
  expect({ status: changed.status, predictions: changed.body.recent_predictions.length }).toEqual({
    status: 200,
    predictions: 1,
  });
});
