import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { FEED_LIMITS, QUERY_LIMITS } from '../../src/limits.ts';
import { BULK } from '../support/bulk.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { startService, type TestService } from '../support/service.ts';

const SOCKETS = 8;
const MOST_BYTES = 12 * 1024;

let service: TestService;
beforeEach(async () => {
  service = await startService({ intervals: { pingMs: 60_000 } });
});
afterEach(() => service.stop());

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes in use once garbage is gone. */
function used(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** As many fields as a document may rename. */
const fields = Array.from({ length: QUERY_LIMITS.aliases }, (_, place) => `field${place}: kind`).join(' ');
const DOCUMENT = `subscription { events { seq ${fields} } }`;

async function subscribeOften(payload: Readonly<Record<string, unknown>> = { query: DOCUMENT }) {
  const socket = await rawSocket(service.url);
  for (let id = 0; id < FEED_LIMITS.subscriptionsPerSocket; id += 1)
    socket.say({ id: String(id), type: 'subscribe', payload });
  await socket.first(1 + FEED_LIMITS.subscriptionsPerSocket);
  return socket;
}

const BOARD = 'subscription { leaderboardUpdated { period } }';

test.each([
  ['neither its parsed document nor a context', { query: DOCUMENT }],
  ['none of the extensions that came with it', { query: BOARD, extensions: { bulk: BULK } }],
  ['none of the variables that its document does not take', { query: BOARD, variables: { bulk: BULK } }],
  ['no text beside its document', { query: `${BOARD} # ${'x'.repeat(60_000)}` }],
])('an idle subscription keeps %s', async (_, payload) => {
  const first = await subscribeOften(payload);
  const before = used();
  const sockets = [];
  for (let n = 0; n < SOCKETS; n += 1) sockets.push(await subscribeOften(payload));
  const each = (used() - before) / (SOCKETS * FEED_LIMITS.subscriptionsPerSocket);
  expect(each).toBeLessThan(MOST_BYTES);
  for (const { socket } of [first, ...sockets]) socket.terminate();
});

test('a WebSocket keeps nothing of its first message or its request', async () => {
  const settings = { init: { bulk: BULK }, headers: { 'x-bulk': 'x'.repeat(12_000) } };
  const first = await rawSocket(service.url, settings);
  const before = used();
  const sockets = [];
  for (let n = 0; n < 20; n += 1) sockets.push(await rawSocket(service.url, settings));
  // Both ends of a connection are of this process.
  expect((used() - before) / sockets.length).toBeLessThan(60 * 1024);
  for (const { socket } of [first, ...sockets]) socket.terminate();
});
