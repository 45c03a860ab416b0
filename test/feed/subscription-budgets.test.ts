import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { LIMITS } from '../../src/limits.ts';
import { startService, type TestService } from '../support/service.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { publish, write } from '../support/written-events.ts';

let service: TestService;
let address = 0;
beforeAll(async () => {
  service = await startService({ rateLimits: true, trustProxy: true });
});
afterAll(async () => {
  await service.stop();
  expect(service.reported).toEqual([]);
});

/** A socket of an address of its own, unless told otherwise. */
function socketFrom(from = newAddress(), init: Readonly<Record<string, unknown>> | null = {}) {
  return rawSocket(service.url, { init, headers: { 'x-forwarded-for': from } });
}

function newAddress(): string {
  address += 1;
  return `10.0.0.${address}`;
}

/** Some 9,000 points of cost an event. */
const COSTLY = `subscription ($after: Int) { events(after: $after) { seq round {
  predictions(first: 100) { nodes { agent { name recentPredictions { id prediction confidence } } } } } } }`;

test('a replay over its limit ends with a retry time, and continues at its position', async () => {
  const roundId = 1;
  const events = 100;
  const about = { kind: 'ROUND_OPENED', roundId, payload: {} } as const;
  await write(
    service,
    Array.from({ length: events }, () => about),
  );
  await publish(service, 1);
  const from = newAddress();
  using socket = await socketFrom(from);
  socket.subscribe('1', COSTLY, { after: 0 });
  await socket.until(() => socket.results('1').some(({ type }) => type === 'error'));
  const results = socket.results('1');
  expect(results.at(-1)?.payload).toEqual([
    {
      message: expect.stringMatching(
        /^The subscriptions of this address have used up their cost of 200,000 a minute; .* in \d+ s, /,
      ),
      extensions: { code: 'RATE_LIMITED', reason: 'rate_limited', retryAfter: expect.any(Number) },
    },
  ]);
  const seen = results.slice(0, -1).map(({ payload }) => payload.data.events.seq);
  expect(seen.length).toBeGreaterThan(10);
  expect(seen).toEqual(seen.map((_, place) => 1 + place));
  // It goes on, here from another address, from the last seq.
  using other = await socketFrom();
  other.subscribe('1', COSTLY, { after: seen.length });
  await other.until(() => other.results('1').length > 0);
  expect(other.results('1')[0]?.payload.data.events.seq).toBe(seen.length + 1);
});

test('an exhausted replay does not affect live subscriptions', async () => {
  const from = newAddress();
  using socket = await socketFrom(from);
  socket.subscribe('live', 'subscription { events { seq kind } }');
  await socket.until(() => socket.results('live').length === 1);
  socket.subscribe('replay', COSTLY, { after: 0 });
  await socket.until(() => socket.results('replay').some(({ type }) => type === 'error'));
  await publish(service, 3);
  await socket.until(() => socket.results('live').length === 4);
  expect(socket.results('live').every(({ type }) => type === 'next')).toBe(true);
});

test('the live feed of many subscribers of one address costs as much as one', async () => {
  const from = newAddress();
  const sockets = await Promise.all(Array.from({ length: 3 }, () => socketFrom(from)));
  const perSocket = 35;
  for (const socket of sockets) {
    for (let n = 0; n < perSocket; n += 1) socket.subscribe(String(n), COSTLY);
  }
  await Promise.all(sockets.map((socket) => socket.until((all) => all.length === 1 + perSocket)));
  const events = 5;
  await publish(service, events);
  await Promise.all(sockets.map((socket) => socket.until((all) => all.length === 1 + perSocket * (1 + events))));
  for (const { socket, items } of sockets) {
    expect(new Set(items.map(({ type }) => type))).toEqual(new Set(['connection_ack', 'next']));
    socket.terminate();
  }
});

test('messages are counted by address before they are read; too many close the WebSocket with 1013', async () => {
  const from = newAddress();
  using socket = await socketFrom(from);
  const most = LIMITS.graphqlRequest.requests;
  for (let n = 1; n < most; n += 1) socket.say({ type: 'ping', payload: { n } });
  await socket.until((all) => all.length === most);
  socket.say('not JSON, which nobody finds out');
  expect(await socket.end).toEqual({
    code: 1013,
    reason: expect.stringMatching(/^This address has sent too many messages; reconnect in \d+ s$/),
  });
  using other = await socketFrom();
  expect(other.items).toEqual([{ type: 'connection_ack' }]);
});

test('pings are not counted, and clients that send them stay connected', async () => {
  const from = newAddress();
  const sockets = await Promise.all(Array.from({ length: 10 }, () => socketFrom(from)));
  for (const socket of sockets) for (let n = 0; n < 100; n += 1) socket.say({ type: 'ping' });
  await Promise.all(sockets.map((socket) => socket.until((all) => all.length === 101)));
  for (const { socket } of sockets) socket.terminate();
});

const AT_ONCE = 20;

test('wrong keys over WebSockets and REST are counted together, before any lookup', async () => {
  const from = newAddress();
  const holder = await service.request('POST', '/api/agents/register', {
    body: { name: 'holder', mode: 'compete' },
    headers: { 'x-forwarded-for': newAddress() },
  });
  const authorized = (key: string, forwarded = from) =>
    service.request('GET', '/api/me', { key, headers: { 'x-forwarded-for': forwarded } });
  expect((await authorized(holder.body.api_key)).status).toBe(200);
  const statuses = new Set<number>();
  // All of them at once would make the last wait for longer than a request may on a machine that does much else.
  for (let first = 0; first < LIMITS.unknownKeys.requests; first += AT_ONCE) {
    const guesses = Array.from({ length: AT_ONCE }, (_, n) => authorized(keyOf(first + n)));
    for (const { status } of await Promise.all(guesses)) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([401, 429]));

  const refused = await authorized(keyOf(0));
  expect(refused.body.error).toMatch(
    /^This address has sent too many keys that belong to no agent; try again in \d+ s\.$/,
  );
  const budget = ['limit', 'remaining'].map((name) => refused.headers.get(`x-ratelimit-${name}`));
  expect(budget).toEqual([String(LIMITS.unknownKeys.requests), '0']);
  using socket = await socketFrom(from, null);
  socket.say({ type: 'connection_init', payload: { authorization: `Bearer ${keyOf(1)}` } });
  expect(await socket.end).toEqual({
    code: 1013,
    reason: expect.stringMatching(/^This address has sent too many keys that belong to no agent/),
  });
  // Whose key was found to hold before is not kept out by guesses of others behind the same address.
  using known = await socketFrom(from, { authorization: `Bearer ${holder.body.api_key}` });
  expect(known.items).toEqual([{ type: 'connection_ack' }]);
  expect((await authorized(holder.body.api_key)).status).toBe(200);
});

/** A key of the right form that nobody holds. */
function keyOf(n: number): string {
  return `pk_live_${n.toString(16).padStart(48, '0')}`;
}
