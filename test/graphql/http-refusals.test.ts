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

describe('refusals', () => {
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

  test.each(CASES)('/graphql refuses $what', async ({ body, headers, status, message }) => {
    const answer = await service.request('POST', '/graphql', { body, headers });
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: badRequest(expected) });
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain; charset=utf8'])(
    '/graphql refuses a POST of the type %s, which another site’s page can send',
    async (type) => {
      const body = 'query=mutation { register(name: "from-a-form") { apiKey } }';
      const answer = await service.request('POST', '/graphql', { body, headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 400, body: badRequest(expect.stringMatching(/CSRF/)) });
    },
  );

  test('a null for a switch variable is refused, at the root and deeper, cached or not', async () => {
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

  test('a mutation over GET gets 405 and changes nothing', async () => {
    const { status, headers, body } = await service.request(
      'GET',
      inUrl('mutation { register(name: "over-get") { apiKey } }'),
    );
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    expect(body).toEqual(badRequest(expect.stringMatching(/GET requests only support query/)));
    expect((await service.request('GET', inUrl('{ agent(name: "over-get") { id } }'))).body.data.agent).toBeNull();
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('the method %s is refused', async (method) => {
    const { status, headers, body } = await service.request(method, '/graphql', { headers: json });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' });
    expect(body).toEqual(badRequest(expect.any(String)));
  });

  test('an unknown method without headers gets 405', async () => {
    const { status, headers, body } = await service.request('PUT', '/graphql');
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' });
    expect(body).toEqual(badRequest('/graphql accepts GET, POST, not PUT.'));
  });

  test('a GET without a query is refused with advice', async () => {
    const { status, body } = await service.request('GET', '/graphql');
    expect({ status, body }).toEqual({
      status: 400,
      body: badRequest(expect.stringMatching(/^There is no query\. Send POST \/graphql with the JSON body/)),
    });
  });

  test('an unknown media type of the answer gets 406', async () => {
    const { status, body } = await service.request('POST', '/graphql', {
      body: { query: '{ __typename }' },
      headers: { accept: 'image/png' },
    });
    expect({ status, body }).toEqual({ status: 406, body: badRequest(expect.stringMatching(/accept/)) });
  });
});

describe('Accept', () => {
  test('an invalid document gets 400, or 200 if only plain JSON is accepted', async () => {
    const body = { query: '{ nothing }' };
    const statusFor = async (accept: string) =>
      (await service.request('POST', '/graphql', { body, headers: { accept } })).status;
    expect(await statusFor('*/*')).toBe(400);
    expect(await statusFor('application/graphql-response+json, application/json;q=0.9')).toBe(400);
    expect(await statusFor('application/json')).toBe(200);
  });
});

test('a query over GET is answered without special headers', async () => {
  const { status, body } = await service.request('GET', inUrl('{ __typename }'));
  expect({ status, data: body.data }).toEqual({ status: 200, data: { __typename: 'Query' } });
});

test.each(['application/json; charset=utf8', 'application/json;charset=UTF8', 'application/json; charset="utf8"'])(
  'the spelling %s of UTF-8 is accepted by GraphQL and REST',
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
  test('/graphql/ answers like /graphql', async () => {
    const { status, body, headers } = await service.request('POST', '/graphql/', { body: { query: '{ __typename }' } });
    expect({ status, data: body.data }).toEqual({ status: 200, data: { __typename: 'Query' } });
    expect(headers.get('vary')).toBe('Accept');
  });

  test('/graphql/ allows other origins like /graphql', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    const answer = await service.request('OPTIONS', '/graphql/', { headers });
    expect({ status: answer.status, origin: answer.headers.get('access-control-allow-origin') }).toEqual({
      status: 204,
      origin: '*',
    });
  });

  test('/graphql/ accepts WebSockets too', async () => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql/`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.terminate();
  });
});

describe('persisted queries', () => {
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

  test('an unknown hash gets the standard code and message, by GET and POST', async () => {
    expect(await service.request('GET', byGet)).toMatchObject(unknown);
    expect(await service.request('POST', '/graphql', { body: { extensions } })).toMatchObject(unknown);
  });

  test('a hash alone is answered after the full query, by GET and POST', async () => {
    const whole = await service.request('POST', '/graphql', { body: { query, extensions } });
    expect(whole).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
    expect((await service.request('GET', byGet)).body.data).toEqual(whole.body.data);
    expect((await service.request('POST', '/graphql', { body: { extensions } })).body.data).toEqual(whole.body.data);
  });

  test('a wrong hash is refused', async () => {
    const { status, body } = await service.request('POST', '/graphql', { body: { query: `${query} `, extensions } });
    expect({ status, body }).toEqual({ status: 400, body: badRequest('provided sha does not match query') });
  });

  test('a persisted mutation over GET is refused, also with a known hash', async () => {
    const change = 'mutation { activate { mode } }';
    const sha256Hash = createHash('sha256').update(change).digest('hex');
    const named = { persistedQuery: { version: 1, sha256Hash } };
    await service.request('POST', '/graphql', { body: { query: change, extensions: named } });
    const { status } = await service.request('GET', `/graphql?extensions=${encodeURIComponent(JSON.stringify(named))}`);
    expect(status).toBe(405);
  });

  test('a persisted introspection query counts against the limit of introspection', async () => {
    const limited = await startService({ rateLimits: true });
    const ofType = '{ __type(name: "Round") { name } }';
    const named = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(ofType).digest('hex') } };
    await limited.request('POST', '/graphql', { body: { query: ofType, extensions: named } });
    const body = { extensions: named };
    const statuses: number[] = [];
    for (let time = 0; time < 30; time += 1)
      statuses.push((await limited.request('POST', '/graphql', { body })).status);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([29, 429]);
    await limited.stop();
  });
});
