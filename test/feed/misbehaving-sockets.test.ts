import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { rawHttp } from './raw-http.ts';
import { rawSocket } from '../support/raw-socket.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ intervals: { marketMs: 10 } });
});
afterEach(async () => {
  // Whatever happened, others are served and the service has found no fault with itself.
  expect((await service.request('GET', '/api/health')).status).toBe(200);
  expect(service.reported).toEqual([]);
});
afterAll(() => service.stop());

const EVENTS = 'subscription { events(after: 0) { seq } }';

test.each([
  'not JSON',
  '{}',
  '[]',
  'null',
  '{"type":"unknown"}',
  '{"type":"next","id":"1","payload":{}}',
  '{"type":"connection_ack"}',
  '{"type":"subscribe","payload":{"query":"{ __typename }"}}',
  '{"type":"subscribe","id":"","payload":{"query":"{ __typename }"}}',
  '{"type":"subscribe","id":"1","payload":{"query":7}}',
  '{"type":"subscribe","id":"1","payload":{"query":"{ __typename }","variables":7}}',
  '\u0000\uFFFF',
])('the message %p closes the WebSocket with 4400', async (message) => {
  using socket = await rawSocket(service.url);
  socket.say(message);
  expect((await socket.end).code).toBe(4400);
});

test('bytes that are no WebSocket frames close the connection', async () => {
  using socket = await rawSocket(service.url);
  socket.socket.once('close', () => {});
  const { _socket: stream }: { _socket?: { write(bytes: Buffer): void } } = Object(socket.socket);
  stream?.write(Buffer.alloc(200, 0xff));
  expect((await socket.end).code).toBeGreaterThanOrEqual(1002);
});

test('a subscription before connection_init closes the WebSocket with 4401', async () => {
  using socket = await rawSocket(service.url, { init: null });
  socket.subscribe('1', EVENTS);
  expect(await socket.end).toEqual({ code: 4401, reason: 'Send connection_init before anything else' });
});

test('a second connection_init closes the WebSocket with 4429', async () => {
  using socket = await rawSocket(service.url);
  socket.say({ type: 'connection_init' });
  expect(await socket.end).toEqual({ code: 4429, reason: 'Too many initialisation requests' });
});

test.each(['1', 'x'.repeat(500)])('an id in use closes the WebSocket with 4409', async (id) => {
  using socket = await rawSocket(service.url);
  socket.subscribe(id, EVENTS);
  socket.subscribe(id, EVENTS);
  expect((await socket.end).code).toBe(4409);
});

test('a client of the older subprotocol gets 4406', async () => {
  using socket = await rawSocket(service.url, { init: null, protocol: 'graphql-ws' });
  expect(await socket.end).toEqual({
    code: 4406,
    reason: 'This service accepts only the subprotocol graphql-transport-ws; offer that',
  });
});

test('an unknown subprotocol gets 4406', async () => {
  const protocol = 'mqtt';
  const key = Buffer.alloc(16).toString('base64');
  const { text } = await rawHttp(
    service.url,
    `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    // A closing frame with the code 4406.
    (all) => all.includes(Buffer.from([4406 >> 8, 4406 & 0xff])),
  );
  expect(text).toMatch(
    /^HTTP\/1\.1 101 .*This service accepts only the subprotocol graphql-transport-ws; offer that$/s,
  );
  expect(text).not.toMatch(/sec-websocket-protocol/i);
});

test.each(['/', '/graphql/x', '/api/events', '//', '/%', '*'])(
  'an upgrade on %s gets 404, and the connection ends',
  async (path) => {
    const key = Buffer.alloc(16).toString('base64');
    const { text } = await rawHttp(
      service.url,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  },
);

test('an incomplete upgrade gets 400', async () => {
  const head = 'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  expect((await rawHttp(service.url, head)).text).toMatch(/^HTTP\/1\.1 400 /);
});

test('a client that also offers HTTP/2 is answered normally', async () => {
  const { text } = await rawHttp(
    service.url,
    'GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a reused id belongs only to the new subscription', async () => {
  using socket = await rawSocket(service.url);
  for (let round = 0; round < 5; round += 1) {
    socket.subscribe('1', EVENTS);
    socket.say({ id: '1', type: 'complete' });
  }
  socket.subscribe('1', 'subscription { events { seq kind } }');
  await socket.until(() => socket.results('1').some(({ payload }) => payload?.data?.events?.kind === 'HEARTBEAT'));
  await service.nextHour();
  await socket.until(() =>
    socket.results('1').some(({ payload }) => payload?.data?.events?.kind === 'LEADERBOARD_CHANGED'),
  );
  const since = socket
    .results('1')
    .slice(socket.results('1').findIndex(({ payload }) => payload?.data?.events?.kind === 'HEARTBEAT'));
  const seen = since.map(({ payload }) => payload?.data?.events?.seq);
  expect(seen).toEqual(seen.map((_, place) => seen[0] + place));
  expect(socket.results('1').filter(({ type }) => type !== 'next')).toEqual([]);
});

test('the work of a WebSocket ends with it', async () => {
  let looks = 0;
  const quotes = service.market.quotes.bind(service.market);
  service.market.quotes = (now) => {
    looks += 1;
    return quotes(now);
  };
  const gone = await rawSocket(service.url);
  for (const id of ['1', '2', '1']) {
    gone.subscribe(id, `subscription S${id} { marketUpdated { source } }`);
    if (id === '1') gone.say({ id, type: 'complete' });
  }
  await gone.until(() => gone.results('2').length > 0);
  gone.socket.terminate();
  using other = await rawSocket(service.url);
  other.subscribe('1', 'subscription { marketUpdated { source stale } }');
  await other.until(() => other.results('1').length === 1);
  looks = 0;
  await other.until(() => other.results('1').length === 5);
  // Whatever goes on for the one that is gone would look as often.
  expect(looks).toBeLessThan(6);
  service.market.quotes = quotes;
});

test.each([
  ['two fields', 'subscription { events { seq } roundUpdated { id } }'],
  ['a fragment for its field', 'subscription { ...F } fragment F on Subscription { events { seq } }'],
  ['an inline fragment for its field', 'subscription { ... on Subscription { events { seq } } }'],
  ['its field under a condition', 'subscription ($yes: Boolean = true) { events @include(if: $yes) { seq } }'],
  ['introspection', 'subscription { __typename }'],
  ['an unknown field', 'subscription { nothing }'],
  ['broken syntax', 'subscription {'],
  ['no operation', 'fragment F on Event { seq }'],
  ['two operations and no name', 'subscription A { events { seq } } subscription B { events { seq } }'],
])('a subscription with %s is refused, and the WebSocket stays open', async (_what, query) => {
  using socket = await rawSocket(service.url);
  socket.subscribe('1', query);
  await socket.first(2);
  expect(socket.items[1]).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code: 'BAD_REQUEST' } }] });
  socket.subscribe('1', EVENTS);
  expect((await socket.first(3))[2]).toMatchObject({ id: '1', type: 'next' });
});
