import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, getNamedType, getNullableType, isListType, isScalarType } from 'graphql';
import { WebSocket } from 'ws';
import { readFileSync } from 'node:fs';

import { eventSource } from '../support/event-source.ts';
import { receive, socketClient, socketUrl } from '../support/socket-client.ts';
import { register } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';

const FOREIGN = 'https://elsewhere.example';
const LISTED = 'https://arena.example';
const REFUSED = `Pages of the origin "${FOREIGN}" may only read and predict here; the operator of this service can add the origin to CORS_ORIGINS.`;

let service: TestService;
beforeAll(async () => {
  service = await startService({ corsOrigins: [LISTED], trustProxy: 'loopback' });
});
afterAll(() => service.stop());

let names = 0;
const newName = (): string => `page-agent-${(names += 1)}`;

/** Registers over REST with these headers; answers the status. */
async function registers(headers: Record<string, string>): Promise<number> {
  const { status } = await service.request('POST', '/api/agents/register', { body: { name: newName() }, headers });
  return status;
}

/** A mutation over GraphQL on HTTP with this origin: the code of its error, or null. */
async function mutates(query: string, origin: string, key?: string): Promise<string | null> {
  const { body } = await service.request('POST', '/graphql', { body: { query }, headers: { origin }, key });
  return body.errors?.[0].extensions.code ?? null;
}

/** The same over a socket. */
async function mutatesOverSocket(query: string, origin: string, key?: string): Promise<string | null> {
  const socket = new WebSocket(socketUrl(service.url), 'graphql-transport-ws', { origin });
  await once(socket, 'open');
  const payload = key === undefined ? {} : { authorization: `Bearer ${key}` };
  socket.send(JSON.stringify({ type: 'connection_init', payload }));
  await once(socket, 'message');
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
  const [message] = await once(socket, 'message');
  socket.terminate();
  return JSON.parse(String(message)).payload.errors?.[0].extensions.code ?? null;
}

describe('page of another origin', () => {
  test.each([
    ['GET', '/api/rounds/current'],
    ['GET', '/api/nothing'],
    ['GET', '/api/export/rounds.csv'],
    ['HEAD', '/api/leaderboard'],
    ['GET', '/graphql?query={health{status}}'],
    ['GET', '/api'],
    ['GET', '/openapi.json'],
    ['GET', '/llms.txt'],
    ['GET', '/llms-full.txt'],
    ['GET', '/docs/agents.md'],
    ['HEAD', '/docs/mcp.md'],
    ['GET', '/.well-known/security.txt'],
    ['GET', '/log/checkpoint'],
    ['GET', '/feeds/rounds.atom'],
  ])('a foreign page reads the answer of %s %s with its headers', async (method, path) => {
    const headers = { origin: FOREIGN, 'apollo-require-preflight': 'yes' };
    const answer = await service.request(method, path, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    for (const name of ['X-RateLimit-Remaining', 'Retry-After', 'ETag', 'X-Request-Id']) {
      expect(answer.headers.get('access-control-expose-headers')).toContain(name);
    }
  });

  test.each(['/api/predictions', '/api/agents/register', '/graphql', '/api/events', '/api/rounds/7/entries', '/mcp'])(
    'a foreign page gets a preflight for %s',
    async (path) => {
      const headers = { origin: FOREIGN, 'access-control-request-method': 'POST' };
      const answer = await service.request('OPTIONS', path, { headers });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: '' });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
      for (const name of [
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'Last-Event-ID',
        'Mcp-Protocol-Version',
      ]) {
        expect(answer.headers.get('access-control-allow-headers')).toContain(name);
      }
    },
  );

  test.each(['/livez', '/metrics', '/admin/rounds/stuck', '/'])('a foreign page cannot read %s', async (path) => {
    const { headers } = await service.request('GET', path, { headers: { origin: FOREIGN } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test('a foreign page can subscribe to events and query over a WebSocket', async () => {
    using stream = eventSource(`${service.url}/api/events`);
    await stream.first(1);
    await using received = receive(socketClient(service.url), 'subscription { events(after: 0) { seq } }');
    await received.until((results) => results.length > 0);
    expect(await mutatesOverSocket('{ health { status } }', FOREIGN)).toBeNull();
  });

  test('a foreign page cannot register, activate or rotate a key over REST, and gets the reason', async () => {
    const { key } = await register(service, newName());
    for (const path of ['/api/agents/register', '/api/me/activate', '/api/me/rotate-key']) {
      const headers = { origin: FOREIGN };
      const { status, body } = await service.request('POST', path, { body: { name: newName() }, key, headers });
      expect({ path, status, body }).toEqual({ path, status: 403, body: { error: REFUSED, code: 'foreign_origin' } });
    }
    expect((await service.request('GET', '/api/me', { key })).status).toBe(200);
  });

  test('a foreign page can run no mutation but submitPrediction over HTTP and WebSocket', async () => {
    const { key } = await register(service, newName());
    for (const [name, query] of mutations()) {
      const due = name === 'submitPrediction' ? 'BAD_REQUEST' : 'FORBIDDEN';
      expect([name, await mutates(query, FOREIGN, key)]).toEqual([name, due]);
      expect([name, await mutatesOverSocket(query, FOREIGN, key)]).toEqual([name, due]);
    }
  });

  test('a foreign page can submit a prediction with a key over every transport', async () => {
    const { id, choices } = await currentRound(service);
    const fields = { round_id: id, prediction: choices[0], confidence: 60 };
    const { key } = await register(service, newName());
    const headers = { origin: FOREIGN };
    expect((await service.request('POST', '/api/predictions', { body: fields, key, headers })).status).toBe(201);
    const query = `mutation { submitPrediction(roundId: ${id}, prediction: "${choices[0]}", confidence: 60) { id } }`;
    const [second, third] = [await register(service, newName()), await register(service, newName())];
    expect(await mutates(query, FOREIGN, second.key)).toBeNull();
    expect(await mutatesOverSocket(query, FOREIGN, third.key)).toBeNull();
  });
});

/** Each mutation of the schema with some value for every argument that it must have. */
function mutations(): [name: string, query: string][] {
  const fields = buildSchema(readFileSync('schema.graphql', 'utf8')).getMutationType()?.getFields() ?? {};
  return Object.values(fields).map(({ name, args, type }) => {
    const given = args.filter((arg) => arg.type.toString().endsWith('!'));
    const values = given.map(({ name: argument, type: taken }) => {
      const value = isListType(getNullableType(taken)) ? '[]' : taken.toString() === 'String!' ? '"some-text"' : 0;
      return `${argument}: ${value}`;
    });
    const list = values.length > 0 ? `(${values.join(', ')})` : '';
    return [name, `mutation { ${name}${list} ${isScalarType(getNamedType(type)) ? '' : '{ __typename }'} }`];
  });
}

test('a refusal of a foreign page does not count against its visitor’s limit', async () => {
  await using limited = {
    service: await startService({ rateLimits: true }),
    [Symbol.asyncDispose]: () => limited.service.stop(),
  };
  const asks = async (headers: Record<string, string>) =>
    (await limited.service.request('POST', '/api/agents/register', { body: { name: newName() }, headers })).status;
  for (let turn = 0; turn < 5; turn += 1) expect(await asks({ origin: FOREIGN })).toBe(403);
  expect(await asks({})).toBe(201);
});

describe('registration by origin', () => {
  test('a program without origin can register', async () => {
    expect(await registers({})).toBe(201);
  });

  test('a page of a listed origin can register', async () => {
    expect(await registers({ origin: LISTED })).toBe(201);
    expect(await mutates(`mutation { register(name: "${newName()}") { apiKey } }`, LISTED)).toBeNull();
    expect(await mutatesOverSocket(`mutation { register(name: "${newName()}") { apiKey } }`, LISTED)).toBeNull();
  });

  test('a page of the service can register', async () => {
    const origin = service.url;
    expect(await registers({ origin })).toBe(201);
    expect(await mutates(`mutation { register(name: "${newName()}") { apiKey } }`, origin)).toBeNull();
    expect(await mutatesOverSocket(`mutation { register(name: "${newName()}") { apiKey } }`, origin)).toBeNull();
  });

  test('a page of the service behind a trusted proxy can register', async () => {
    const origin = 'https://hourcast.example';
    expect(await registers({ origin, 'x-forwarded-host': 'hourcast.example' })).toBe(201);
    expect(await registers({ origin, 'x-forwarded-host': 'hourcast.example:443', 'x-forwarded-proto': 'https' })).toBe(
      201,
    );
    expect(await registers({ origin, 'x-forwarded-host': 'hourcast.example', 'x-forwarded-proto': 'http' })).toBe(403);
    expect(await registers({ origin, 'x-forwarded-host': 'other.example' })).toBe(403);
  });

  test.each(['null', 'http://127.0.0.1:1', 'https://arena.example.evil.example', 'http://arena.example', '', 'x'])(
    'a page of %j cannot register',
    async (origin) => {
      expect(await registers({ origin })).toBe(403);
    },
  );
});

test('an untrusted proxy cannot change the service’s own origin', async () => {
  await using plain = { service: await startService(), [Symbol.asyncDispose]: () => plain.service.stop() };
  const headers = { origin: FOREIGN, 'x-forwarded-host': 'elsewhere.example' };
  const { status } = await plain.service.request('POST', '/api/agents/register', { body: { name: 'forger' }, headers });
  expect(status).toBe(403);
});
