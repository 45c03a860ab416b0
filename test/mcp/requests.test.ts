import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { Limiter } from '../../src/backplane/backplane.ts';
import { LIMITS } from '../../src/limits.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { register } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { stillLimiter } from '../support/still-limiter.ts';

const KEY = `pk_live_${'0a'.repeat(24)}`;
const LISTED = 'https://arena.example';

let service: TestService;
beforeAll(async () => {
  service = await startService({ rateLimits: true, corsOrigins: [LISTED] });
});
afterAll(() => service.stop());

const ACCEPT = { accept: 'application/json, text/event-stream' };

/** One message of the older generation as plain HTTP. */
function send(message: unknown, headers: Record<string, string> = {}, key?: string) {
  return service.request('POST', '/mcp', { body: message, headers: { ...ACCEPT, ...headers }, key });
}

const callOf = (name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
});

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'by-hand', version: '1' },
};

/** With this `Accept`, or none, where fetch would send one by itself. */
async function plainly(message: string, accept: string | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) };
  httpRequest(`${service.url}/mcp`, { method: 'POST', headers }, resolve).once('error', reject).end(message);
  const response = await promise;
  const { statusCode: status, headers: got } = response;
  return { status, type: got['content-type'], body: await text(response) };
}

/** With a `Host` of its own, which fetch does not let a caller choose. */
async function statusWithHost(host: string, url = service.url): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { ...ACCEPT, host, 'content-type': 'application/json' };
  const request = httpRequest(`${url}/mcp`, { method: 'POST', headers }, (response) => {
    void text(response).then(() => resolve(response.statusCode ?? 0), reject);
  });
  request.once('error', reject).end(JSON.stringify(callOf('current_round')));
  return promise;
}

describe('messages to /mcp', () => {
  test.each(['2025-03-26', '2025-06-18'])('a stateless session starts with the protocol %s', async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } };
    const begun = await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(begun.body.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'hourcast', version: '9.9.9' },
      // No stream could tell of a change.
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    });
    expect(begun.headers.get('mcp-session-id')).toBeNull();
    expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    const { body } = await send(callOf('current_round'), { 'mcp-protocol-version': version });
    expect(JSON.parse(body.result.content[0].text).round).not.toBeNull();
  });

  test.each([
    ['localhost:3000', 200],
    ['127.0.0.1', 200],
    ['[::1]:3000', 200],
    ['rebound.example', 403],
    ['localhost.example:3000', 403],
    ['127.0.0.1.example', 403],
  ])('a request over loopback with the host %s gets %i', async (host, status) => {
    expect(await statusWithHost(host)).toBe(status);
  });

  test('any host of a trusted proxy is accepted', async () => {
    const behind = await startService({ trustProxy: 'loopback' });
    expect(await statusWithHost('arena.example', behind.url)).toBe(200);
    await behind.stop();
  });

  test.each([
    ['https://elsewhere.example', 403],
    ['null', 403],
    [LISTED, 200],
  ])('a page of the origin %s gets %i', async (origin, status) => {
    const answer = await send(callOf('current_round'), { origin });
    expect(answer.status).toBe(status);
    // Without it a browser would keep the answer, and the reason of a refusal, from the page.
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each([
    ['{', 'The body is not valid JSON.'],
    ['{"jsonrpc":"2.0",}', 'The body is not valid JSON.'],
    ['['.repeat(65) + ']'.repeat(65), 'JSON must be nested at most 64 deep, in arrays and objects.'],
  ])('invalid JSON is a parse error of the protocol: %s', async (sent, sentence) => {
    const { status, body } = await send(sent);
    expect({ status, body }).toEqual({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error: { code: -32_700, message: `Parse error: ${sentence}` } },
    });
  });

  test.each([
    'application/json',
    '*/*',
    'application/*',
    'text/event-stream;q=0.5, application/json',
    'application/json, text/event-stream',
    undefined,
  ])('a message is answered as JSON for Accept: %s', async (accept) => {
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE },
      callOf('current_round'),
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    ];
    for (const message of messages) {
      const answer = await plainly(JSON.stringify(message), accept);
      expect({ status: answer.status, type: answer.type, id: JSON.parse(answer.body).id }).toEqual({
        status: 200,
        type: 'application/json',
        id: 1,
      });
    }
  });

  test('an Accept without JSON gets 406', async () => {
    for (const accept of ['text/event-stream', 'text/html'])
      expect((await plainly(JSON.stringify(callOf('market')), accept)).status).toBe(406);
  });

  test('the list of tools has at most 12 kB, with a minimum of 1 for ids', async () => {
    const { body } = await plainly(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), 'application/json');
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(12_000);
    const tools: readonly { readonly inputSchema: { readonly properties: object } }[] = JSON.parse(body).result.tools;
    const args = tools.flatMap(({ inputSchema }) => Object.entries(inputSchema.properties));
    const ids = args.filter(([name]) => name.endsWith('_id'));
    expect(ids.map(([name, { minimum }]) => [name, minimum])).toEqual([
      ['round_id', 1],
      ['round_id', 1],
      ['agent_id', 1],
    ]);
  });

  test('the arguments of tools are listed with their types, ranges and defaults', async () => {
    const { body } = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const tools: readonly { name: string; inputSchema: { properties: object } }[] = body.result.tools;
    expect(Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.properties]))).toMatchObject({
      candles: {
        asset: { type: 'string', enum: ASSETS },
        hours: { type: 'integer', minimum: 1, maximum: 168, default: 48 },
      },
      predict: {
        prediction: { type: 'string' },
        confidence: { type: 'integer', minimum: 0, maximum: 100 },
        dry_run: { type: 'boolean', default: false },
      },
      set_standing: { rows: { type: 'array', items: { type: 'object' } } },
      round_results: { limit: { type: 'integer', minimum: 1, maximum: 1000, default: 20 } },
      leaderboard: { limit: { default: 10 }, period: { enum: ['daily', 'weekly', 'monthly', 'alltime'] } },
      query: { query: { type: 'string' }, variables: { type: 'object' } },
    });
  });

  test('an id that is too large is refused with the maximum', async () => {
    const { key } = await register(service, 'too-large');
    for (const name of ['predict', 'round_results']) {
      const given = { round_id: 9_000_000_000, prediction: 'YES', confidence: 50 };
      const { body } = await send(callOf(name, name === 'predict' ? given : { round_id: given.round_id }), {}, key);
      const { error } = JSON.parse(body.result.content[0].text);
      expect(error).toMatch(/^round_id must be a whole number .*to 2147483647 \(got 9000000000\)\.$/);
    }
  });

  test('a message of more than 16 KiB is refused', async () => {
    const { status, body } = await send(callOf('query', { query: ' '.repeat(16 * 1024) }));
    expect({ status, body }).toMatchObject({
      status: 413,
      body: { error: 'The body is too large: at most 16 KiB are read.' },
    });
  });

  test.each([
    [[callOf('current_round'), callOf('market')], 'a batch of 2'],
    [[], 'a batch of 0'],
    ['null', 'null'],
    ['"current_round"', '"current_round"'],
  ])('a body that is not one message is an error of the protocol: %j', async (body, given) => {
    const answer = await send(body, { 'mcp-protocol-version': '2025-03-26' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_600,
          message: `Invalid Request: the body must be one JSON-RPC message, sent by itself (got ${given}).`,
        },
      },
    });
  });

  test.each<readonly [string, unknown, Record<string, string>?]>([
    ['the name of a tool', callOf(KEY)],
    ['the name of an argument', callOf('market', { [KEY]: 1 })],
    ['the value of one', callOf('agent_record', { name: KEY })],
    ['a document', callOf('query', { query: `{ ${KEY} }` })],
    ['the address of a resource', { ...callOf(''), method: 'resources/read', params: { uri: KEY } }],
    ['the id of a resource', { ...callOf(''), method: 'resources/read', params: { uri: `hourcast://rounds/${KEY}` } }],
    ['a revision of the protocol', callOf('market'), { 'mcp-protocol-version': KEY }],
    ['no message', JSON.stringify(KEY)],
  ])('an answer to a key as %s does not repeat it', async (_what, message, headers = {}) => {
    const answer = JSON.stringify((await send(message, headers)).body);
    expect(answer).toContain('pk_live_...');
    expect(answer).not.toContain('0a0a');
  });

  test.each(['GET', 'DELETE', 'PUT'])('a %s gets 405', async (method) => {
    const { status, headers } = await service.request(method, '/mcp');
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
  });
});

async function requestsLeft(): Promise<number> {
  const { headers } = await service.request('POST', '/graphql', { body: { query: '{ __typename }' } });
  return Number(headers.get('x-ratelimit-remaining'));
}

describe('rate limits', () => {
  test('an agent’s limits are shared between /mcp and REST', async () => {
    const { key } = await register(service, 'spender');
    const round = await currentRound(service);
    const wrong = { round_id: round.id, prediction: 'PERHAPS', confidence: 50 };
    for (let n = 1; n < LIMITS.predictions.requests; n += 1) await send(callOf('predict', wrong), {}, key);
    const { status, headers } = await service.request('POST', '/api/predictions', { key, body: wrong });
    expect({ status, left: headers.get('x-ratelimit-remaining') }).toEqual({ status: 400, left: '0' });
    const { body } = await send(callOf('predict', wrong), {}, key);
    expect(body.result.isError).toBe(true);
    expect(JSON.parse(body.result.content[0].text)).toMatchObject({
      error: expect.stringMatching(/^Rate limit for POST \/api\/predictions reached: 30 per hour/),
      retry_after: expect.any(Number),
    });
  });

  test('fields of a query count against the address’s limits', async () => {
    const stats = '{ a: stats { totalAgents } b: stats { totalAgents } }';
    await send(callOf('query', { query: stats }));
    const { headers } = await service.request('GET', '/api/stats');
    expect(headers.get('x-ratelimit-remaining')).toBe(String(LIMITS.stats.requests - 3));
  });

  test('a message counts before it is read, and its answer has the remainder', async () => {
    const before = await requestsLeft();
    const { headers } = await send('{');
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
      String(LIMITS.graphqlRequest.requests),
      String(before - 1),
    ]);
    expect((await send(callOf('current_round'))).headers.get('x-ratelimit-remaining')).toBe(String(before - 2));
    expect(await requestsLeft()).toBe(before - 3);
  });
});

test.each([
  [
    'hourcast://rounds/one',
    'id must be a whole number from 1 (got "one").',
    { code: 'invalid_parameter', param: 'id' },
  ],
  ['hourcast://rounds/999', 'There is no round 999.', { uri: 'hourcast://rounds/999' }],
])('the resource %s is refused as a wrong parameter', async (uri, message, data) => {
  const { body } = await send({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
  expect(body.error).toMatchObject({ code: -32_602, message, data });
});

test('a fault behind a tool or resource is reported, and answered without its cause', async () => {
  await using stack = new AsyncDisposableStack();
  const counting = stillLimiter();
  const fault = new Error('The counter has a secret');
  const count: Limiter['count'] = async (name, key, uses) => {
    if (name === 'health' || name === 'market') throw fault;
    return counting.count(name, key, uses);
  };
  const own = await startService({ rateLimits: { ...counting, count } });
  stack.defer(() => own.stop());
  const answerTo = async (message: object) =>
    (await own.request('POST', '/mcp', { body: message, headers: ACCEPT })).body;
  const read = await answerTo({ ...callOf(''), method: 'resources/read', params: { uri: 'hourcast://rules' } });
  expect(read.error).toMatchObject({ code: -32_603, message: expect.not.stringContaining('secret') });
  const called = await answerTo(callOf('market'));
  expect(called.result.isError).toBe(true);
  expect(called.result.content[0].text).not.toContain('secret');
  expect(own.reported).toEqual([fault, fault]);
});

test('the current round comes without its forecast when that is unavailable', async () => {
  await using stack = new AsyncDisposableStack();
  const counting = stillLimiter();
  const refused = { limit: 0, remaining: 0, resetSeconds: 60, retryAfterSeconds: 60 };
  const count: Limiter['count'] = async (name, key, uses) =>
    name === 'forecast' ? refused : counting.count(name, key, uses);
  const own = await startService({ rateLimits: { ...counting, count } });
  stack.defer(() => own.stop());
  const { body } = await own.request('POST', '/mcp', { body: callOf('current_round'), headers: ACCEPT });
  const { structuredContent, isError } = body.result;
  expect(isError).toBeUndefined();
  expect(structuredContent).not.toHaveProperty('forecast');
  expect(structuredContent).toMatchObject({ round: { id: 1 }, price: expect.anything() });
});
