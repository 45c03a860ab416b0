import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { FEED_LIMITS } from '../../src/limits.ts';
import { startService, type TestService } from '../support/service.ts';
import { rawSocket } from '../support/raw-socket.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const ROUND = 'subscription { roundUpdated { id } }';

test('a WebSocket has a maximum of subscriptions, and an ended one frees its slot', async () => {
  using socket = await rawSocket(service.url);
  const most = FEED_LIMITS.subscriptionsPerSocket;
  for (let id = 0; id <= most; id += 1) socket.subscribe(String(id), ROUND);
  const all = await socket.until((messages) => messages.length === most + 2);
  const [refused, ...more] = all.filter(({ type }) => type === 'error');
  expect(more).toEqual([]);
  expect(refused).toMatchObject({ id: String(most), payload: [{ extensions: { code: 'BAD_REQUEST' } }] });
  expect(refused?.payload[0].message).toContain('Too many operations on this socket (limit 50); complete one first.');
  socket.say({ id: '0', type: 'complete' });
  socket.subscribe('one more', ROUND);
  await socket.until(() => socket.results('one more').length === 1);
  expect(socket.results('one more')[0]?.type).toBe('next');
});

test('a message up to the bound is read, a larger one closes the WebSocket with 1009', async () => {
  using socket = await rawSocket(service.url);
  const rest = FEED_LIMITS.messageBytes - JSON.stringify({ type: 'ping', payload: { text: '' } }).length;
  socket.say({ type: 'ping', payload: { text: 'x'.repeat(rest) } });
  await socket.first(2);
  expect(socket.items[1]?.type).toBe('pong');
  socket.say({ type: 'ping', payload: { text: 'x'.repeat(rest + 1) } });
  expect((await socket.end).code).toBe(1009);
});

test('an id longer than 512 characters closes the WebSocket with 4400', async () => {
  using socket = await rawSocket(service.url);
  socket.subscribe('x'.repeat(512), ROUND);
  await socket.until((messages) => messages.length === 2);
  socket.subscribe('x'.repeat(513), ROUND);
  expect(await socket.end).toEqual({ code: 4400, reason: 'An id must have at most 512 characters' });
});

test('subscriptions of an address have a maximum of bytes, and a closed WebSocket frees its part', async () => {
  using other = await rawSocket(service.url);
  other.subscribe('1', ROUND);
  await other.first(2);
  using socket = await rawSocket(service.url);
  // Each differs from the others by 36 kB of a variable, and none is what another one has.
  const kinds = Array.from({ length: 3_000 }, () => 'FORECAST');
  const document = 'subscription ($kinds: [EventKind!]) { events(kinds: $kinds) { seq } }';
  const subscribe = (on: typeof socket, id: number) =>
    on.subscribe(String(id), document, { kinds: kinds.toSpliced(id, 1, 'ROUND_OPENED') });
  for (let id = 0; id < 10; id += 1) subscribe(socket, id);
  expect(await socket.end).toEqual({
    code: 1013,
    reason: 'The subscriptions of this address use too much memory (limit 4 MiB); end some and reconnect',
  });
  const begun = socket.items.filter(({ type }) => type === 'next').length;
  expect(begun).toBeGreaterThan(0);
  using again = await rawSocket(service.url);
  for (let id = 0; id < begun; id += 1) subscribe(again, id);
  await again.until((messages) => messages.filter(({ type }) => type === 'next').length === begun);
  other.say({ type: 'ping' });
  expect(await other.until((messages) => messages.at(-1)?.type === 'pong')).toBeDefined();
});

test('a message in many fragments is bounded as a whole', async () => {
  using socket = await rawSocket(service.url);
  for (let fragment = 0; fragment < 70; fragment += 1) {
    socket.socket.send(fragment === 0 ? '"'.padEnd(1024, 'x') : 'x'.repeat(1024), { fin: false });
  }
  expect((await socket.end).code).toBe(1009);
});

test('connections of an address have a maximum, and a closed one frees its slot', async () => {
  const most = 5;
  const bounded = await startService({ connectionsPerAddress: most, trustProxy: true });
  const from = (address: string) => rawSocket(bounded.url, { init: null, headers: { 'x-forwarded-for': address } });
  const sockets = await Promise.all(Array.from({ length: most }, () => from('10.0.0.1')));
  using refused = await from('10.0.0.1');
  expect(await refused.end).toEqual({
    code: 1013,
    reason: 'This address has too many open connections; close some and reconnect',
  });
  using other = await from('10.0.0.2');
  other.say({ type: 'ping' });
  await other.first(1);
  const stream = await bounded.request('GET', '/api/events', { headers: { 'x-forwarded-for': '10.0.0.1' } });
  expect(stream).toMatchObject({
    status: 429,
    body: {
      error: 'This address has too many open connections; close some.',
      code: 'too_many_connections',
      retry_after: 15,
    },
  });
  sockets[0]?.socket.close(1000);
  await sockets[0]?.end;
  using again = await from('10.0.0.1');
  again.say({ type: 'ping' });
  await again.first(1);
  await bounded.stop();
  await Promise.all(sockets.map(({ end }) => end));
});

test('sockets of an address without a key have a maximum, and a closed one frees its slot', async () => {
  const sockets = [await rawSocket(service.url)];
  while (sockets.length < 2000) {
    const some = Math.min(100, 2000 - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: some }, () => rawSocket(service.url)))));
  }
  using refused = await rawSocket(service.url, { init: null });
  refused.say({ type: 'connection_init' });
  expect(await refused.end).toEqual({
    code: 1013,
    reason: 'This address has too many sockets without a key; send one in connection_init, or close some',
  });
  sockets[0]?.socket.close(1000);
  await sockets[0]?.end;
  using again = await rawSocket(service.url);
  expect(again.items).toEqual([{ type: 'connection_ack' }]);
  for (const { socket } of sockets) socket.terminate();
  await Promise.all(sockets.map(({ end }) => end));
});

test('a message in more than 1,024 fragments closes the WebSocket', async () => {
  using socket = await rawSocket(service.url);
  for (let fragment = 0; fragment < 1_030; fragment += 1)
    socket.socket.send(fragment === 0 ? '"' : 'x', { fin: false });
  expect((await socket.end).code).toBe(1008);
});

test('a client silent after connecting is closed with 4408', async () => {
  using socket = await rawSocket(service.url, { init: null });
  expect(await socket.end).toEqual({ code: 4408, reason: 'Connection initialisation timeout' });
});
