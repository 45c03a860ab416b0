import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { WebSocket } from 'ws';

import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Received, receive, socketClient } from '../support/socket-client.ts';
import { EVENTS, publish, type Seen, seqs } from '../support/written-events.ts';

let database: TestDatabase;
let service: TestService;
beforeEach(async () => {
  database = await createTestDatabase();
  service = await startService({ database });
});
afterEach(async () => {
  await service.stop();
  await database.drop();
});

interface Survivor extends AsyncDisposable {
  readonly received: Received<Seen>;
  readonly sockets: readonly WebSocket[];
  readonly codes: readonly number[];
}

/** A client that comes back by itself and goes on from the last event that it has seen. */
function survivor(comeBack: () => Promise<void>): Survivor {
  const sockets: WebSocket[] = [];
  const codes: number[] = [];
  const client = socketClient(() => service.url, {
    comeBack,
    onConnected: (socket) => sockets.push(socket),
    onClosed: (code) => codes.push(code),
  });
  const received: Received<Seen> = receive<Seen>(client, EVENTS, () => ({
    after: received.items.at(-1)?.data?.events.seq ?? 0,
  }));
  return { received, sockets, codes, [Symbol.asyncDispose]: () => received[Symbol.asyncDispose]() };
}

test('a client reconnecting repeatedly gets every event exactly once', async () => {
  await using client = survivor(async () => {});
  const { received, sockets } = client;
  for (let last = 3; last < 203; last += 20) {
    await received.first(last);
    await publish(service, 20);
    sockets.at(-1)?.terminate();
  }
  const all = await received.first(203);
  expect(all.map(({ data }) => data?.events.seq)).toEqual(seqs(1, 203));
  expect(sockets).toHaveLength(11);
});

test('a client reconnects over a restart, and gets the events meanwhile', async () => {
  const restarted = Promise.withResolvers<void>();
  await using client = survivor(() => restarted.promise);
  const { received, codes } = client;
  await publish(service, 10);
  await received.first(13);
  await service.stop();
  service = await startService({ database, start: '2026-01-01T13:10:00Z' });
  await publish(service, 10);
  restarted.resolve();
  const all = await received.until((found) => (found.at(-1)?.data?.events.seq ?? 0) >= 28);
  expect(all.map(({ data }) => data?.events.seq)).toEqual(seqs(1, 28));
  expect(codes).toEqual([1012]);
});
