import { createHash } from 'node:crypto';
import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';

import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const badRequest = (message: unknown) => ({
  errors: [expect.objectContaining({ message, extensions: expect.objectContaining({ code: 'BAD_REQUEST' }) })],
});
const json = { 'content-type': 'application/json' };
const preflight = { 'apollo-require-preflight': 'true' };
const inUrl = (query: string): string => `/graphql?query=${encodeURIComponent(query)}`;

describe('what /graphql refuses', () => {
  const CASES = [
    { what: 'broken JSON', body: '{"query": ', headers: json, status: 400, message: /not valid JSON/ },
    {
      what: 'a body that is no object',
      body: '"{ currentRound { id } }"',
      headers: json,
      status: 400,
      message: /JSON/,
    },
    { what: 'an empty body', body: '', headers: json, status: 400, message: /POST body missing/ },
    {
      what: 'a body of another type',
      body: '{ currentRound { id } }',
      headers: { 'content-type': 'application/graphql', ...preflight },
      status: 400,
      message: /Content-Type/,
    },
    {
      what: 'an unknown character set',
      body: '{}',
      headers: { 'content-type': 'application/json; charset=klingon' },
      status: 415,
      message: /character set/,
    },
    {
      what: 'a body that is too large',
      body: JSON.stringify({ query: `#${'x'.repeat(200_000)}` }),
      headers: json,
      status: 413,
      message: 'The body is too large: at most 128 KiB are read.',
    },
    {
      what: 'a batch',
      body: '[{"query": "{ __typename }"}, {"query": "{ __typename }"}]',
      headers: json,
      status: 400,
      message: /batching/i,
    },
    {
      what: 'a subscription',
      body: JSON.stringify({ query: 'subscription { marketUpdated { source } }' }),
      headers: json,
      status: 400,
      message: /WebSocket/,
    },
    {
      what: 'an unknown field, with the name that may be meant',
      body: JSON.stringify({ query: '{ currentRond { id } }' }),
      headers: json,
      status: 400,
      message: /Did you mean "currentRound"/,
    },
    {
      what: 'what a page of another site could send',
      body: '{"query": "{ __typename }"}',
      headers: { 'content-type': 'text/plain' },
      status: 400,
      message: /CSRF/,
    },
  ] as const;

  test.each(CASES)('is $what', async ({ body, headers, status, message }) => {
    const answer = await service.request('POST', '/graphql', { body, headers });
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: badRequest(expected) });
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain; charset=utf8'])(
    'is a POST of the type %s, which a page of another site could send',
    async (type) => {
      const body = 'query=mutation { register(name: "from-a-form") { apiKey } }';
      const answer = await service.request('POST', '/graphql', { body, headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 400, body: badRequest(expect.stringMatching(/CSRF/)) });
    },
  );

  test('is null for a switch that must be true or false, at the root and deeper, known or not', async () => {
    const documents = [
      'query ($x: Boolean = true) { health @include(if: $x) { status } }',
      'query ($x: Boolean = true) { health { status @skip(if: $x) version } }',
      'query ($x: Boolean = true) { ...F @include(if: $x) } fragment F on Query { health { status } }',
    ];
    for (const query of [...documents, ...documents]) {
      const { status, body } = await service.request('POST', '/graphql', { body: { query, variables: { x: null } } });
      expect({ status, body }).toEqual({ status: 400, body: badRequest(expect.stringMatching(/must not be null/)) });
    }
    expect(service.reported).toEqual([]);
  });

  test('is a mutation over GET: 405, and nothing is changed', async () => {
    const { status, headers, body } = await service.request(
      'GET',
      inUrl('mutation { register(name: "over-get") { apiKey } }'),
    );
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    expect(body).toEqual(badRequest(expect.stringMatching(/GET requests only support query/)));
    expect((await service.request('GET', inUrl('{ agent(name: "over-get") { id } }'))).body.data.agent).toBeNull();
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('is the method %s', async (method) => {
    const { status, headers, body } = await service.request(method, '/graphql', { headers: json });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' });
    expect(body).toEqual(badRequest(expect.any(String)));
  });

  test('is a method that it does not have, without any header', async () => {
    const { status, headers, body } = await service.request('PUT', '/graphql');
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' });
    expect(body).toEqual(badRequest('/graphql takes GET, POST, not PUT.'));
  });

  test('is a GET without a query, in a sentence that says how to send one', async () => {
    const { status, body } = await service.request('GET', '/graphql');
    expect({ status, body }).toEqual({
      status: 400,
      body: badRequest(expect.stringMatching(/^There is no query\. Send POST \/graphql with the JSON body/)),
    });
  });

  test('is an answer in a form that it does not have', async () => {
    const { status, body } = await service.request('POST', '/graphql', {
      body: { query: '{ __typename }' },
      headers: { accept: 'image/png' },
    });
    expect({ status, body }).toEqual({ status: 406, body: badRequest(expect.stringMatching(/accept/)) });
  });

  test('never shows a stack', async () => {
    const answers = await Promise.all([
      service.request('POST', '/graphql', { body: '{"query": ', headers: json }),
      service.request('POST', '/graphql', { body: { query: '{ nothing }' } }),
      service.request('POST', '/graphql', { body: { query: '{ me { id } }' } }),
    ]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/stack|node_modules|\.ts:/);
  });
});

describe('those who name no media type', () => {
  test('get 400 for a document that does not fit, and 200 only when they accept plain JSON alone', async () => {
    const body = { query: '{ nothing }' };
    const statusFor = async (accept: string) =>
      (await service.request('POST', '/graphql', { body, headers: { accept } })).status;
    expect(await statusFor('*/*')).toBe(400);
    expect(await statusFor('application/graphql-response+json, application/json;q=0.9')).toBe(400);
    expect(await statusFor('application/json')).toBe(200);
  });
});

test('a query over GET is answered, without any header', async () => {
  const { status, body } = await service.request('GET', inUrl('{ __typename }'));
  expect({ status, data: body.data }).toEqual({ status: 200, data: { __typename: 'Query' } });
});

test.each(['application/json; charset=utf8', 'application/json;charset=UTF8', 'application/json; charset="utf8"'])(
  'UTF-8 may be named as in %s, over GraphQL and REST',
  async (type) => {
    const body = JSON.stringify({ query: '{ __typename }', name: 'no name: ü' });
    const headers = { 'content-type': type };
    const query = await service.request('POST', '/graphql', { body, headers });
    expect({ status: query.status, body: query.body.data }).toEqual({ status: 200, body: { __typename: 'Query' } });
    const rest = await service.request('POST', '/api/agents/register', { body, headers });
    expect(rest).toMatchObject({ status: 400, body: { error: expect.stringContaining('no name: ü') } });
  },
);

describe('/graphql/', () => {
  test('answers as /graphql does', async () => {
    const { status, body, headers } = await service.request('POST', '/graphql/', { body: { query: '{ __typename }' } });
    expect({ status, data: body.data }).toEqual({ status: 200, data: { __typename: 'Query' } });
    expect(headers.get('vary')).toBe('Accept');
  });

  test('is open to pages of other sites as /graphql is', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    const asked = await service.request('OPTIONS', '/graphql/', { headers });
    expect({ status: asked.status, origin: asked.headers.get('access-control-allow-origin') }).toEqual({
      status: 204,
      origin: '*',
    });
  });

  test('is the path of a socket too', async () => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql/`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.terminate();
  });
});

describe('a persisted query', () => {
  const query = '{ __typename schedule(hours: 1) { questionType } }';
  const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };
  const byGet = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
  const unknown = {
    status: 200,
    body: {
      errors: [
        {
          message: 'PersistedQueryNotFound',
          extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', reason: 'invalid_document' },
        },
      ],
    },
  };

  test('that is not known is refused by the code and the sentence that clients look for, by GET and POST', async () => {
    expect(await service.request('GET', byGet)).toMatchObject(unknown);
    expect(await service.request('POST', '/graphql', { body: { extensions } })).toMatchObject(unknown);
  });

  test('is answered by its hash alone once it came whole, by GET and POST', async () => {
    const whole = await service.request('POST', '/graphql', { body: { query, extensions } });
    expect(whole).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
    expect((await service.request('GET', byGet)).body.data).toEqual(whole.body.data);
    expect((await service.request('POST', '/graphql', { body: { extensions } })).body.data).toEqual(whole.body.data);
  });

  test('of another hash than its own is refused', async () => {
    const { status, body } = await service.request('POST', '/graphql', { body: { query: `${query} `, extensions } });
    expect({ status, body }).toEqual({ status: 400, body: badRequest('provided sha does not match query') });
  });

  test('of a change is refused by GET, also where its hash is known', async () => {
    const change = 'mutation { activate { mode } }';
    const sha256Hash = createHash('sha256').update(change).digest('hex');
    const named = { persistedQuery: { version: 1, sha256Hash } };
    await service.request('POST', '/graphql', { body: { query: change, extensions: named } });
    const { status } = await service.request('GET', `/graphql?extensions=${encodeURIComponent(JSON.stringify(named))}`);
    expect(status).toBe(405);
  });

  test('that asks for the schema spends the budget of introspection by its hash too', async () => {
    const limited = await startService({ rateLimits: true });
    const asked = '{ __type(name: "Round") { name } }';
    const named = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(asked).digest('hex') } };
    await limited.request('POST', '/graphql', { body: { query: asked, extensions: named } });
    const body = { extensions: named };
    const statuses: number[] = [];
    for (let time = 0; time < 30; time += 1)
      statuses.push((await limited.request('POST', '/graphql', { body })).status);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([29, 429]);
    await limited.stop();
  });
});
