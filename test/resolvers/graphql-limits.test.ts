import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';

import { LIMITS } from '../../src/limits.ts';
import { startService, type TestService } from '../support/service.ts';
import { ask, type GraphqlAnswer } from '../support/asking.ts';

async function remaining(service: TestService, path: string, key?: string): Promise<number> {
  return Number((await service.request('GET', path, { key })).headers.get('x-ratelimit-remaining'));
}

function codesOf({ errors }: GraphqlAnswer): string[] {
  return errors.map(({ extensions }) => extensions.code);
}

/** Where each root field's budget is to be seen over REST. */
const SHARED = [
  ['currentRound { id }', '/api/rounds/current'],
  ['nextRound { id }', '/api/rounds/current'],
  ['schedule(hours: 1) { startTime }', '/api/rounds/current'],
  ['round(id: 1) { id }', '/api/rounds/1/results'],
  ['rounds { nodes { id } }', '/api/rounds/recent'],
  ['agent(id: 1) { id }', '/api/agents/2'],
  ['leaderboard { period }', '/api/leaderboard'],
  ['market { source }', '/api/data/market'],
  ['stats { totalAgents }', '/api/stats'],
  ['health { status }', '/api/health'],
] as const;

describe('limit of an address', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ rateLimits: true });
  });
  afterAll(() => service.stop());

  test.each(SHARED)('%s counts against the address’s limit once for each alias, like %s', async (field, path) => {
    const before = await remaining(service, path);
    expect(
      codesOf(
        await ask(service, `{ a: ${field} b: ${field} ...more } fragment more on Query { c: ${field} a: ${field} }`),
      ),
    ).toEqual([]);
    expect(await remaining(service, path)).toBe(before - 4);
  });

  test('nested fields and introspection do not count', async () => {
    const paths = ['/api/agents/1', '/api/rounds/1/results', '/api/me'];
    const before = await Promise.all(paths.map((path) => remaining(service, path)));
    expect(codesOf(await ask(service, getIntrospectionQuery()))).toEqual([]);
    await ask(
      service,
      '{ leaderboard { rankings { agent { id } } } currentRound { entries(limit: 5) { agent { id } round { id } } } }',
    );
    expect(await Promise.all(paths.map((path) => remaining(service, path)))).toEqual(before.map((left) => left - 1));
  });
});

describe('limits of REST', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService({ rateLimits: true });
  });
  afterEach(() => service.stop());

  test('each alias of register counts like REST, and the fourth is refused', async () => {
    const { data, errors } = await ask(
      service,
      `mutation { a: register(name: "one") { apiKey } b: register(name: "two") { apiKey }
                  c: register(name: "three") { apiKey } d: register(name: "four") { apiKey } }`,
    );
    expect(data).toBeNull();
    expect(errors).toEqual([
      expect.objectContaining({
        path: ['d'],
        extensions: {
          code: 'RATE_LIMITED',
          reason: 'rate_limited',
          endpoint: 'register',
          limit: 3,
          windowSeconds: 3600,
          retryAfter: expect.any(Number),
        },
      }),
    ]);
    const { status, headers } = await service.request('POST', '/api/agents/register', { body: { name: 'five' } });
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(LIMITS.register.windowMs / 1000);
  });

  test('registrations over REST count for GraphQL', async () => {
    for (const name of ['one', 'two', 'three'])
      await service.request('POST', '/api/agents/register', { body: { name } });
    expect(codesOf(await ask(service, 'mutation { register(name: "four") { apiKey } }'))).toEqual(['RATE_LIMITED']);
  });

  test('fields with a key count against their agent’s limit from any address', async () => {
    const { body } = await service.request('POST', '/api/agents/register', { body: { name: 'Hedda' } });
    const other = await service.request('POST', '/api/agents/register', { body: { name: 'Ivo' } });
    const before = await remaining(service, '/api/me', body.api_key);
    await ask(service, '{ a: me { id } b: me { id } }', { key: body.api_key });
    expect(await remaining(service, '/api/me', body.api_key)).toBe(before - 3);
    expect(await remaining(service, '/api/me', other.body.api_key)).toBe(LIMITS.me.requests - 1);
  });

  test('a field without its key counts against the address’s limit', async () => {
    for (let request = 0; request < LIMITS.me.requests; request += 1) await service.request('GET', '/api/me');
    expect(codesOf(await ask(service, '{ me { id } }'))).toEqual(['RATE_LIMITED']);
  });
});
