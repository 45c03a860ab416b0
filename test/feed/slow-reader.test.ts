import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { NewEvent } from '../../src/feed/event-log.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { collector } from '../support/collector.ts';
import { rawHttp } from './raw-http.ts';
import { rawSocket, type RawSocket } from '../support/raw-socket.ts';
import { endOfLog, write } from '../support/written-events.ts';

const ALL = 20_000;
const AT_ONCE = 1000;
const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
/** Beside what is unread: the feed remembers some events for those who come back. */
const MAX_GROWTH = 25;
const LOOKS = 3;
const EVENTS = 'subscription ($after: Int) { events(after: $after) { seq payload } }';

let service: TestService;
beforeEach(async () => {
  service = await startService({ intervals: { pingMs: 60_000, stalledMs: 500 } });
});
afterEach(async () => {
  await service.stop();
  expect(service.reported).toEqual([]);
});

const STREAM = 'GET /api/events?after=0 HTTP/1.1\r\nHost: x\r\n\r\n';
const hasHead = (all: Buffer): boolean => all.includes('\r\n\r\n');

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Megabytes in use once garbage is gone, which the end of what is under way may leave as well; and the process's. */
async function memory(): Promise<{ readonly used: number; readonly rss: number }> {
  const looks: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    await turnOfTheLoop();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    looks.push((heapUsed + external) / MEGABYTE);
  }
  return { used: Math.min(...looks), rss: process.memoryUsage().rss / MEGABYTE };
}

/** Events of so many bytes each. */
function large(count: number, bytes: number): readonly NewEvent[] {
  const event: NewEvent = { kind: 'TIER_CHANGED', roundId: null, payload: { text: 'x'.repeat(bytes) } };
  return Array.from({ length: count }, () => event);
}

/** Publishes in pages, each of which a client that reads has before the next one comes. */
async function publishLarge(count: number, bytes: number): Promise<void> {
  using reader = await seqReader();
  for (let written = 0; written < count; written += AT_ONCE) {
    await write(service, large(AT_ONCE, bytes));
    service.nudge();
    await reader.reached(await endOfLog(service));
  }
}

/** A client that reads everything and remembers the seqs alone. */
async function seqReader() {
  const reader = await rawSocket(service.url);
  const { socket } = reader;
  const seen = collector<number>();
  socket.removeAllListeners('message');
  socket.on('message', (data: Buffer) => seen.add(JSON.parse(data.toString()).payload.data.events.seq));
  reader.subscribe('1', EVENTS);
  return {
    reached: (seq: number) => seen.until((all) => (all.at(-1) ?? 0) >= seq),
    [Symbol.dispose]: () => socket.terminate(),
  };
}

async function stoppedReader(): Promise<RawSocket> {
  const reader = await rawSocket(service.url);
  reader.subscribe('1', EVENTS);
  await reader.first(2);
  reader.socket.pause();
  return reader;
}

test('memory stays bounded under 20,000 events with stalled readers', async () => {
  await publishLarge(2000, KILOBYTE);
  const before = await memory();
  let most = before.used;
  using first = await stoppedReader();
  using second = await stoppedReader();
  for (let written = 0; written < ALL; written += ALL / 5) {
    await publishLarge(ALL / 5, KILOBYTE);
    most = Math.max(most, (await memory()).used);
  }
  const after = await memory();
  const figures = [before.used, most, after.used, before.rss, after.rss].map((figure) => figure.toFixed(0));
  process.stdout.write(
    `Slow readers, MB before/most/after: ${figures.slice(0, 3).join('/')}, RSS ${figures.slice(3).join('/')}\n`,
  );
  expect(most - before.used).toBeLessThan(MAX_GROWTH);
  expect([first, second].map(({ socket }) => socket.isPaused)).toEqual([true, true]);
});

test('a stalled reader is closed with 4412 and a reason', async () => {
  using stopped = await stoppedReader();
  await publishLarge(3000, 4 * KILOBYTE);
  stopped.socket.resume();
  const end = await stopped.end;
  expect(end).toEqual({
    code: 4412,
    reason: 'This client reads too slowly; resume from the last seq',
  });
  // After the heartbeat, which repeats the one before.
  const seen = stopped
    .results('1')
    .slice(1)
    .map(({ payload }) => payload.data.events.seq);
  expect(seen).toEqual(seen.map((_, place) => seen[0] + place));
});

test('a slow replay sends no more than is read, and continues with the reader', async () => {
  await publishLarge(2000, 4 * KILOBYTE);
  const before = await memory();
  using slow = await rawSocket(service.url);
  slow.subscribe('1', EVENTS, { after: 0 });
  await slow.first(2);
  slow.socket.pause();
  await publishLarge(2000, 4 * KILOBYTE);
  expect((await memory()).used - before.used).toBeLessThan(MAX_GROWTH);
  slow.socket.resume();
  const end = await endOfLog(service);
  await slow.until((all) => all.at(-1)?.payload?.data?.events?.seq === end);
  expect(slow.results('1')).toHaveLength(end);
});

test('a stalled reader of server-sent events is throttled, then closed', async () => {
  const database = await createTestDatabase();
  const writer = await startService({ database });
  await write(writer, large(3000, 4 * KILOBYTE));
  await writer.stop();
  const bounded = await startService({ database, intervals: { stalledMs: 300 }, connectionsPerAddress: 1 });
  const before = await memory();
  const { hostname, port } = new URL(bounded.url);
  const reader = connect({ host: hostname, port: Number(port) });
  reader.write(STREAM);
  await once(reader, 'readable');
  // Its place is taken until it is cut off.
  while (!(await rawHttp(bounded.url, STREAM, hasHead)).text.startsWith('HTTP/1.1 200')) {
    expect((await memory()).used - before.used).toBeLessThan(MAX_GROWTH);
  }
  reader.on('error', () => {}).resume();
  await once(reader, 'close');
  expect(reader.bytesRead).toBeLessThan(3000 * 4 * KILOBYTE);
  await bounded.stop();
  await database.drop();
});
