import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { LIMITS } from '../../src/limits.ts';
import { ask } from '../support/asking.ts';
import { startService, type TestService } from '../support/service.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { receive, socketClient } from '../support/socket-client.ts';

let service: TestService;
let limited: TestService;
beforeAll(async () => {
  service = await startService();
  limited = await startService({ rateLimits: true, trustProxy: true });
});
afterAll(async () => {
  await service.stop();
  await limited.stop();
});

test('queries and mutations work over a WebSocket, with one result each', async () => {
  using socket = await rawSocket(service.url);
  socket.subscribe('q', '{ currentRound { id status } }');
  socket.subscribe('m', 'mutation ($name: String!) { register(name: $name) { agent { name } apiKey } }', {
    name: 'socket',
  });
  const ends = (): boolean => socket.items.filter(({ type }) => type === 'complete').length === 2;
  await socket.until(ends);
  expect(socket.results('q')).toEqual([
    { id: 'q', type: 'next', payload: { data: { currentRound: { id: 1, status: 'active' } } } },
    { id: 'q', type: 'complete' },
  ]);
  const [{ payload } = { payload: null }] = socket.results('m');
  expect(payload.data.register).toEqual({ agent: { name: 'socket' }, apiKey: expect.stringMatching(/^pk_live_/) });
});

test('an operation over a WebSocket needs no variables where all have defaults', async () => {
  using socket = await rawSocket(service.url);
  const query = 'query ($id: Int = 1) { round(id: $id) { id } }';
  socket.say({ id: 'none', type: 'subscribe', payload: { query } });
  socket.say({ id: 'null', type: 'subscribe', payload: { query, variables: null } });
  await socket.until(() => [...socket.results('none'), ...socket.results('null')].length === 4);
  for (const id of ['none', 'null'])
    expect(socket.results(id)[0]).toEqual({ id, type: 'next', payload: { data: { round: { id: 1 } } } });
});

test('the key of connection_init applies to every operation', async () => {
  const { body } = await service.request('POST', '/api/agents/register', { body: { name: 'keyed' } });
  const client = socketClient(service.url, { key: body.api_key });
  const [result] = await receive(client, '{ me { name } }').first(1);
  expect(result).toEqual({ data: { me: { name: 'keyed' } } });
  await client.dispose();
  using nobody = await rawSocket(service.url);
  nobody.subscribe('1', '{ me { name } }');
  await nobody.until(() => nobody.results('1').length === 2);
  expect(nobody.results('1')[0]?.payload.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});

const TOO_DEEP = `{ agent(id: 1) ${'{ predictions(first: 1) { edges { node { agent '.repeat(4)} { id } ${'} } } }'.repeat(4)} }`;
test.each([
  ['depth', TOO_DEEP],
  ['aliases', `{ agent(id: 1) { ${Array.from({ length: 31 }, (_, place) => `a${place}: id`).join(' ')} } }`],
  ['tokens', `{ ${'__typename '.repeat(2100)} }`],
  ['rootFields', `{ ${Array.from({ length: 14 }, (_, place) => `a${place}: stats { totalPredictions }`).join(' ')} }`],
])('the limit on %s applies to WebSockets as to HTTP', async (limit, query) => {
  using socket = await rawSocket(service.url);
  socket.subscribe('1', query);
  const [, refused] = await socket.first(2);
  expect(refused).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'BAD_REQUEST', limit: { name: limit } } }],
  });
  const overHttp = await ask(service, query);
  expect(overHttp.errors[0]?.message).toBe(refused?.payload[0].message);
});

test('a subscription that costs too much per event is refused', async () => {
  using socket = await rawSocket(service.url);
  const many = `predictions(first: 100) { edges { node { agent { predictions(first: 100) { edges { node { id } } } } } } }`;
  socket.subscribe('1', `subscription { events { round { ${many} } } }`);
  const [, refused] = await socket.first(2);
  expect(refused?.payload[0].extensions).toMatchObject({ code: 'BAD_REQUEST', limit: { name: 'cost' } });
});

test('queries over WebSockets count against the limits of REST, with every alias', async () => {
  const headers = { 'x-forwarded-for': '10.0.0.1' };
  const { requests } = LIMITS.agent;
  for (let spent = 0; spent < requests; spent += 20) {
    using socket = await rawSocket(limited.url, { headers });
    const aliases = Array.from({ length: 10 }, (_, place) => `a${place}: agent(id: 1) { id }`).join(' ');
    for (const id of ['1', '2']) socket.subscribe(id, `{ ${aliases} }`);
    await socket.until((all) => all.filter(({ type }) => type === 'complete').length === 2);
    for (const id of ['1', '2']) expect(socket.results(id)[0]?.payload.errors).toBeUndefined();
  }
  expect((await limited.request('GET', '/api/agents/1', { headers })).status).toBe(429);
  using socket = await rawSocket(limited.url, { headers });
  socket.subscribe('1', '{ agent(id: 1) { id } }');
  await socket.first(2);
  expect(socket.results('1')[0]?.payload.errors).toMatchObject([
    { extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } },
  ]);
});

test('a subscription counts once at its start, and its events are free', async () => {
  const headers = { 'x-forwarded-for': '10.0.0.2' };
  using socket = await rawSocket(limited.url, { headers });
  const { requests } = LIMITS.leaderboard;
  for (let begun = 0; begun < requests; begun += 1) {
    socket.subscribe('1', 'subscription { leaderboardUpdated { period } }');
    await socket.until(() => socket.results('1').length === begun + 1);
    if (begun < requests - 1) socket.say({ id: '1', type: 'complete' });
  }
  expect((await limited.request('GET', '/api/leaderboard', { headers })).status).toBe(429);
  socket.subscribe('2', 'subscription { leaderboardUpdated { period } }');
  await socket.until(() => socket.results('2').length === 1);
  expect(socket.results('2')[0]).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'RATE_LIMITED' } }] });
  await limited.nextHour();
  await socket.until(() => socket.results('1').length === requests + 1);
  expect(socket.results('1').at(-1)?.type).toBe('next');
});

test('a subscription over HTTP is refused with advice', async () => {
  const { status, errors } = await ask(service, 'subscription { events { seq } }');
  expect(status).toBe(400);
  expect(errors).toMatchObject([
    { message: expect.stringContaining('WebSocket'), extensions: { code: 'BAD_REQUEST' } },
  ]);
});
