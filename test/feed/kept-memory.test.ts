import { expect, test } from '@jest/globals';

import { countShares, INTERVALS } from '../../src/feed/bounds.ts';
import type { LogFollower } from '../../src/feed/log-follower.ts';
import { openHub } from '../../src/feed/hub.ts';
import type { Operation } from '../../src/feed/operation.ts';
import { pendingWork } from '../../src/in-flight.ts';
import { manualClock } from '../support/manual-clock.ts';

const ADDRESS = '10.0.0.1';
const MOST = 2_000;

const EMPTY_LOG: LogFollower = {
  lastSeq: () => 0,
  readAfter: async (seq) => ({ events: [], upTo: seq }),
  checkResumable: async () => {},
  logEnd: async () => 0,
  onEvents: () => () => {},
  stop: async () => {},
};

function hubWithin(most: number) {
  const kept = countShares(most);
  const hub = openHub({
    log: EMPTY_LOG,
    clock: manualClock('2026-01-01T12:00:00Z'),
    intervals: INTERVALS,
    countEntries: async () => null,
    spend: async () => {},
    kept,
    work: pendingWork(),
    report: () => {},
  });
  const subscribe = (key: string, bytes: number) => {
    const operation: Operation = {
      key,
      bytes,
      field: 'events',
      args: {},
      after: 0,
      cost: 1,
      isPlain: true,
      execute: (roots) => roots.map(async () => '{}'),
    };
    return hub.subscribe({ address: ADDRESS, send: () => {}, ready: async () => {}, fail: () => {} }, operation);
  };
  /** True: nothing of the address's memory is taken. */
  const isFree = (): boolean => {
    const giveBack = kept.take(ADDRESS, most);
    giveBack?.();
    return giveBack !== null;
  };
  return { subscribe, isFree, stop: () => hub.stop() };
}

test('subscribers of an address share its memory, and who leaves frees a part', () => {
  const { subscribe, isFree, stop } = hubWithin(MOST);
  const leave = [1, 2, 3].map(() => subscribe('one', 100));
  expect(leave).not.toContain(null);
  expect(subscribe('one', 100)).toBeNull();
  leave[0]?.();
  leave.push(subscribe('one', 100));
  expect(leave.at(-1)).not.toBeNull();
  for (const one of leave.slice(1)) one?.();
  expect(isFree()).toBe(true);
  stop();
});

test('a refused subscription keeps no memory', () => {
  const { subscribe, isFree, stop } = hubWithin(MOST);
  expect(subscribe('large', MOST)).toBeNull();
  expect(isFree()).toBe(true);
  stop();
});
