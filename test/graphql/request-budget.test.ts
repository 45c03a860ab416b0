import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';

import { LIMITS } from '../../src/limits.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ rateLimits: true, trustProxy: true });
});
afterAll(() => service.stop());

interface RequestParts {
  readonly from: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = ({ from, method = 'POST', body, headers }: RequestParts): Promise<Answer> =>
  service.request(method, '/graphql', { body, headers: { 'x-forwarded-for': from, ...headers } });

const left = ({ headers }: Answer) => [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];

const REQUESTS = String(LIMITS.graphqlRequest.requests);

describe('limit of requests', () => {
  test('every request of an address counts before it is read', async () => {
    const from = '10.0.0.1';
    expect(left(await ask({ from, body: { query: '{ __typename }' } }))).toEqual([REQUESTS, '599']);
    expect(left(await ask({ from, body: '{broken' }))).toEqual([REQUESTS, '598']);
    expect(left(await ask({ from, body: { query: '{ nothing }' } }))).toEqual([REQUESTS, '597']);
    expect(left(await ask({ from, body: { query: '{ a b c' } }))).toEqual([REQUESTS, '596']);
    expect(left(await ask({ from, body: '"x"' }))).toEqual([REQUESTS, '595']);
  });

  test('opening the IDE does not count', async () => {
    const from = '10.0.0.2';
    await ask({ from, method: 'GET', headers: { accept: 'text/html' } });
    expect(left(await ask({ from, body: { query: '{ __typename }' } }))).toEqual([REQUESTS, '599']);
  });

  test('a request beyond the limit gets 429 with the headers of REST', async () => {
    const from = '10.0.0.3';
    const spend = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) await ask({ from, method: 'GET' });
    };
    await Promise.all(Array.from({ length: 10 }, () => spend(LIMITS.graphqlRequest.requests / 10)));
    const refused = await ask({ from, body: { query: '{ __typename }' } });
    expect({ status: refused.status, left: left(refused) }).toEqual({ status: 429, left: [REQUESTS, '0'] });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(refused.body).toEqual({
      errors: [
        {
          message: `Rate limit for /graphql reached: 600 per minute. Retry in ${wait} s.`,
          extensions: {
            code: 'RATE_LIMITED',
            reason: 'rate_limited',
            retryAfter: wait,
            endpoint: '/graphql',
            limit: 600,
            windowSeconds: 60,
          },
        },
      ],
    });
  });
});

describe('limit of introspection', () => {
  const query = getIntrospectionQuery();

  test('an address can send 30 introspections a minute over HTTP and WebSockets together', async () => {
    const from = '10.0.0.4';
    expect(left(await ask({ from, body: { query } }))).toEqual(['30', '29']);
    expect(left(await ask({ from, body: { query: '{ __type(name: "Nothing") { name } }' } }))).toEqual(['30', '28']);
    expect(left(await ask({ from, body: { query: '{ nothing { __schema } }' } }))).toEqual(['30', '27']);
    using socket = await rawSocket(service.url, { headers: { 'x-forwarded-for': from } });
    for (let sent = 0; sent < 27; sent += 1)
      socket.subscribe(`of schema ${sent}`, '{ __schema { queryType { name } } }');
    const last = (): boolean => socket.results('of schema 26').length > 0;
    await socket.until(last);
    expect(socket.results('of schema 26')[0]?.payload.data.__schema.queryType.name).toBe('Query');
    socket.subscribe('one more', query);
    await socket.until(() => socket.results('one more').length > 0);
    expect(socket.results('one more')[0]?.payload).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
    const refused = await ask({ from, body: { query } });
    expect({ status: refused.status, left: left(refused) }).toEqual({ status: 429, left: ['30', '0'] });
    expect(refused.body.errors[0].message).toMatch(
      /^Rate limit for introspection reached: 30 per minute\. Retry in \d+ s\.$/,
    );
    expect((await ask({ from, body: { query: '{ __typename }' } })).status).toBe(200);
  });
});

test('a field beyond its limit has the remainder and Retry-After in headers', async () => {
  const from = '10.0.0.5';
  const query = '{ a: market { source } b: market { source } }';
  expect(left(await ask({ from, body: { query } }))).toEqual(['120', '118']);
  for (let sent = 0; sent < 59; sent += 1) await ask({ from, body: { query } });
  const refused = await ask({ from, body: { query: '{ market { source } currentRound { id } }' } });
  expect({ status: refused.status, left: left(refused) }).toEqual({ status: 200, left: ['120', '0'] });
  const wait = refused.headers.get('retry-after');
  expect(refused.body.errors[0]).toMatchObject({
    message: `Rate limit for market reached: 120 per minute. Retry in ${wait} s.`,
    extensions: { code: 'RATE_LIMITED', retryAfter: Number(wait) },
  });
});

test('a cached answer with one exceeded limit counts once, and only that field is refused', async () => {
  const query = '{ currentRound { id } market { source } }';
  for (let sent = 0; sent < 3; sent += 1) await ask({ from: '10.0.0.6', body: { query } });
  const from = '10.0.0.7';
  for (let sent = 0; sent < 60; sent += 1)
    await ask({ from, body: { query: '{ a: market { source } b: market { source } }' } });
  const refused = await ask({ from, body: { query } });
  expect(refused.body).toMatchObject({ data: null, errors: [{ path: ['market'] }] });
  expect(left(await ask({ from, body: { query: '{ currentRound { id } }' } }))).toEqual(['120', '118']);
});
