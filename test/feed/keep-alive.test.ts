import { mock } from 'node:test';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { CLOSE, keepAlive, PING_GROUPS, type PingedSocket } from '../../src/feed/socket.ts';

const PING_MS = 64_000;
const STEP_MS = PING_MS / PING_GROUPS;

beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'setTimeout'] }));
afterEach(() => mock.timers.reset());

/** Sockets that note what is done to them. */
function socketsOf(count: number, bufferedAmount = 0) {
  const done: string[] = [];
  const sockets = Array.from({ length: count }, (_, place): PingedSocket => ({
    readyState: 1,
    OPEN: 1,
    bufferedAmount,
    ping: () => void done.push(`ping ${place}`),
    close: (code) => void done.push(`close ${place} ${code}`),
    terminate: () => void done.push(`terminate ${place}`),
  }));
  return { done, sockets: new Set(sockets) };
}

/** What is done in each step of a whole round. */
function round(done: readonly string[]): number[] {
  return Array.from({ length: PING_GROUPS }, () => {
    const before = done.length;
    mock.timers.tick(STEP_MS);
    return done.length - before;
  });
}

test.each([1, 10, 1_000])('each of %d WebSockets is pinged once in a round, never all at once', (count) => {
  const { done, sockets } = socketsOf(count);
  const alive = keepAlive(sockets, PING_MS);
  const steps = round(done);
  expect(new Set(done).size).toBe(count);
  expect(done).toHaveLength(count);
  expect(Math.max(...steps)).toBeLessThanOrEqual(Math.ceil(count / PING_GROUPS));
  alive.stop();
});

test('a WebSocket that answers is pinged again', () => {
  const { done, sockets } = socketsOf(3);
  const alive = keepAlive(sockets, PING_MS);
  round(done);
  for (const socket of sockets) alive.answered(socket);
  round(done);
  expect(done).toEqual(['ping 0', 'ping 1', 'ping 2', 'ping 0', 'ping 1', 'ping 2']);
  alive.stop();
});

test('a WebSocket that does not answer is closed, with a reason if it still reads', () => {
  for (const [unread, end] of [
    [0, 'terminate 0'],
    [1, `close 0 ${CLOSE.readsTooSlowly.code}`],
  ] as const) {
    const { done, sockets } = socketsOf(1, unread);
    const alive = keepAlive(sockets, PING_MS);
    round(done);
    round(done);
    expect(done).toEqual(['ping 0', end]);
    alive.stop();
  }
});

test('new and closed WebSockets do not delay the pings of others', () => {
  const { done, sockets } = socketsOf(200);
  const alive = keepAlive(sockets, PING_MS);
  mock.timers.tick(STEP_MS);
  const gone = [...sockets].slice(100, 150);
  for (const socket of gone) sockets.delete(socket);
  round(done);
  round(done);
  const pinged = new Set(done.map((text) => text.split(' ')[1]));
  expect(pinged.size).toBe(150);
  alive.stop();
});

test('no ping follows the stop', () => {
  const { done, sockets } = socketsOf(10);
  keepAlive(sockets, PING_MS).stop();
  round(done);
  expect(done).toEqual([]);
});
