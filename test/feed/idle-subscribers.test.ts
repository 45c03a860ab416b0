import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { FEED_LIMITS, QUERY_LIMITS } from '../../src/limits.ts';
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

async function subscribeOften() {
  const socket = await rawSocket(service.url);
  for (let id = 0; id < FEED_LIMITS.subscriptionsPerSocket; id += 1) socket.subscribe(String(id), DOCUMENT);
  await socket.first(1 + FEED_LIMITS.subscriptionsPerSocket);
  return socket;
}

test('a subscription that waits keeps neither its parsed document nor a context', async () => {
  const first = await subscribeOften();
  const before = used();
  const sockets = [];
  for (let n = 0; n < SOCKETS; n += 1) sockets.push(await subscribeOften());
  const each = (used() - before) / (SOCKETS * FEED_LIMITS.subscriptionsPerSocket);
  expect(each).toBeLessThan(MOST_BYTES);
  for (const { socket } of [first, ...sockets]) socket.terminate();
});
