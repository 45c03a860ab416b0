import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';

import { LIMITS } from '../../src/limits.ts';
import { HOUR } from '../../src/rules/hours.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ rateLimits: true, trustProxy: true, keeping: { ms: HOUR } });
});
afterAll(async () => {
  await service.stop();
  expect(service.reported).toEqual([]);
});

const MOST = LIMITS.queryCost.requests;

/** Nearly as much as one query may cost, and its answer is not kept. */
const EVIDENCE = '{ rounds(first: 100) { nodes { evidence { symbol openUsd closeUsd source } } } }';
const COST = 1 + 100 * (1 + 24 * 4);
/** How many of these one address may send in a minute. */
const WITHIN = Math.floor(MOST / COST);

/** The same cost and another text, which is not known yet. */
const another = (alias: string): string => EVIDENCE.replace('rounds', `${alias}: rounds`);

interface RequestParts {
  readonly from: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = ({ from, query = EVIDENCE, headers }: RequestParts): Promise<Answer> =>
  service.request('POST', '/graphql', { body: { query }, headers: { 'x-forwarded-for': from, ...headers } });

/** Ways in which a query may come; each returns the errors, null where there are none. */
const WAYS: Readonly<Record<string, (from: string, alias: string) => Promise<unknown>>> = {
  'a document that is new': async (from, alias) => errorsOf(await ask({ from, query: another(alias) })),
  'a document that is known': async (from) => errorsOf(await ask({ from })),
  'a known document with a media type of its own': async (from) =>
    errorsOf(await ask({ from, headers: { accept: 'application/graphql-response+json' } })),
  GET: async (from, alias) => {
    const path = `/graphql?query=${encodeURIComponent(another(alias))}`;
    const headers = { 'x-forwarded-for': from, 'apollo-require-preflight': 'true' };
    return errorsOf(await service.request('GET', path, { headers }));
  },
  'a socket': async (from) => {
    using socket = await rawSocket(service.url, { headers: { 'x-forwarded-for': from } });
    socket.subscribe('1', EVIDENCE);
    await socket.until(() => socket.results('1').length > 0);
    const { type, payload } = socket.results('1')[0] ?? {};
    return type === 'error' ? payload : (payload.errors ?? null);
  },
  'a tool': async (from) => {
    const params = { name: 'query', arguments: { query: EVIDENCE } };
    const { body } = await service.request('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      headers: { 'x-forwarded-for': from, accept: 'application/json, text/event-stream' },
    });
    const { isError, content } = body.result;
    return isError === true ? [{ message: JSON.parse(content[0].text).error }] : null;
  },
};

function errorsOf({ body }: Answer): unknown {
  return body.errors ?? null;
}

async function spend(from: string): Promise<void> {
  for (let sent = 0; sent < WITHIN; sent += 1) expect((await ask({ from })).body.errors).toBeUndefined();
}

const REFUSAL = [
  { message: expect.stringMatching(/^Rate limit for query cost reached: 200000 per minute\. Retry in /) },
];

describe('query cost per address and minute', () => {
  test('every transport counts against the same cost limit', async () => {
    const from = '10.0.1.1';
    const ways = Object.values(WAYS);
    for (let sent = 0; sent < WITHIN; sent += 1) expect(await ways[sent % ways.length]?.(from, `n${sent}`)).toBeNull();
    for (const way of ways) expect(await way(from, 'late')).toMatchObject(REFUSAL);
  });

  test.each([
    { document: 'a document that is new', from: '10.0.1.2', query: another('unknown') },
    { document: 'a document that is known', from: '10.0.1.3', query: EVIDENCE },
  ])('$document beyond the cost limit gets 429 in the media type that it accepts', async ({ from, query }) => {
    await spend(from);
    const accept = 'application/graphql-response+json';
    const refused = await ask({ from, query, headers: { accept } });
    expect(refused.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    const wait = Number(refused.headers.get('retry-after'));
    expect({ status: refused.status, limit: refused.headers.get('x-ratelimit-limit') }).toEqual({
      status: 429,
      limit: String(MOST),
    });
    expect(refused.body).toMatchObject({
      errors: [
        {
          message: `Rate limit for query cost reached: 200000 per minute. Retry in ${wait} s.`,
          extensions: {
            code: 'RATE_LIMITED',
            reason: 'rate_limited',
            retryAfter: wait,
            endpoint: 'query cost',
            limit: MOST,
            windowSeconds: 60,
          },
        },
      ],
    });
  });

  test('cached answers, the schema, REST and mutations are answered beyond the cost limit', async () => {
    const from = '10.0.1.4';
    const kept = '{ rounds(first: 1) { nodes { id } } }';
    // The first time it is new, the second time it is executed to be kept.
    const first = [await ask({ from, query: kept }), await ask({ from, query: kept })];
    await spend(from);
    expect(await WAYS['a document that is known']?.(from, '')).toMatchObject(REFUSAL);
    for (const answer of [...first, await ask({ from, query: kept })])
      expect(answer.body.data.rounds.nodes).toHaveLength(1);
    expect((await ask({ from, query: getIntrospectionQuery() })).body.data.__schema).toBeDefined();
    const headers = { 'x-forwarded-for': from };
    expect((await service.request('GET', '/api/rounds/current', { headers })).status).toBe(200);
    const { body } = await ask({ from, query: 'mutation { register(name: "late") { agent { id } } }' });
    expect(body.data.register.agent.id).toBe(1);
  });

  test('a cached document costs as much as a new one once a limit of its fields is exceeded', async () => {
    const from = '10.0.1.5';
    const query = `{ agents(first: 1) { nodes { id } } rounds(first: 90) { nodes { predictions(first: 100) { nodes { id } } } } }`;
    const { cost } = (await ask({ from: '10.0.1.6', query })).body.extensions;
    await ask({ from: '10.0.1.6', query });
    const agents = `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: agents(first: 1) { nodes { id } }`).join(' ')} }`;
    let left: number = MOST;
    for (let sent = 0; sent < LIMITS.agent.requests / 10; sent += 1) {
      const { errors, extensions } = (await ask({ from, query: agents })).body;
      expect(errors).toBeUndefined();
      left -= extensions.cost.used;
    }
    const within = Math.floor(left / cost.used);
    for (let sent = 0; sent < within; sent += 1)
      expect(errorsOf(await ask({ from, query }))).toMatchObject([{ path: ['agents'] }]);
    expect(errorsOf(await ask({ from, query }))).toMatchObject(REFUSAL);
  });
});
