import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

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

  test('is a GET that a page of another site could send', async () => {
    const { status, body } = await service.request('GET', inUrl('{ __typename }'));
    expect({ status, body }).toEqual({ status: 400, body: badRequest(expect.stringMatching(/CSRF/)) });
  });

  test('is a mutation over GET: 405, and nothing is changed', async () => {
    const { status, headers, body } = await service.request(
      'GET',
      inUrl('mutation { register(name: "over-get") { apiKey } }'),
      { headers: preflight },
    );
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    expect(body).toEqual(badRequest(expect.stringMatching(/GET requests only support query/)));
    expect(
      (await service.request('GET', inUrl('{ agent(name: "over-get") { id } }'), { headers: preflight })).body.data
        .agent,
    ).toBeNull();
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

test('a query over GET is answered to a program', async () => {
  const { status, body } = await service.request('GET', inUrl('{ __typename }'), { headers: preflight });
  expect({ status, data: body.data }).toEqual({ status: 200, data: { __typename: 'Query' } });
});
