import { expect, test } from '@jest/globals';

import { localBus } from '../../src/backplane/local.ts';
import { appendEvents, databaseLog, type LogSource } from '../../src/feed/event-log.ts';
import { openLogFollower } from '../../src/feed/log-follower.ts';
import { sharedArena } from '../support/shared.ts';
import { madeUpEvents } from '../support/written-events.ts';

const arena = sharedArena();

function append(count: number): Promise<void> {
  return arena.newEm().transactional((transaction) => appendEvents(transaction, new Date(0), madeUpEvents(count)));
}

/** The log, with the seqs after which it is read. */
function counted(): { readonly source: LogSource; readonly reads: readonly number[] } {
  const source = databaseLog(arena.newEm);
  const reads: number[] = [];
  return {
    source: {
      ...source,
      after(seq, limit) {
        reads.push(seq);
        return source.after(seq, limit);
      },
    },
    reads,
  };
}

test('a follower reads the newest events once, for all who resume after its start', async () => {
  await append(9);
  const { source, reads } = counted();
  const failures: unknown[] = [];
  const follower = await openLogFollower({ source, bus: localBus(), report: (error) => failures.push(error) });
  const pages = await Promise.all(Array.from({ length: 20 }, (_, seq) => follower.readAfter(seq % 9)));
  await follower.stop();
  expect(pages.slice(7, 9).map(({ events }) => events.map(({ seq }) => seq))).toEqual([[8, 9], [9]]);
  expect([reads, failures]).toEqual([[0], []]);
});

test('a follower reads all missed events at one nudge, in order', async () => {
  const bus = localBus();
  const failures: unknown[] = [];
  const report = (error: unknown): void => void failures.push(error);
  const follower = await openLogFollower({ source: databaseLog(arena.newEm), bus, report });
  const seen: number[] = [];
  follower.onEvents((events) => seen.push(...events.map(({ seq }) => seq)));
  await append(1_100);
  bus.nudge();
  await follower.stop();
  expect(seen).toEqual(Array.from({ length: 1_100 }, (_, place) => place + 1));
  expect([follower.lastSeq(), failures]).toEqual([1_100, []]);
});

test('a stopped follower reads nothing at a nudge', async () => {
  const { source, reads } = counted();
  const bus = localBus();
  const follower = await openLogFollower({ source, bus, report: () => {} });
  await follower.stop();
  const before = reads.length;
  bus.nudge();
  expect(reads.length).toBe(before);
});

test('a follower remembers the newest 2,000 events, and reads older ones from the log', async () => {
  const { source, reads } = counted();
  const bus = localBus();
  const follower = await openLogFollower({ source, bus, report: () => {} });
  await append(2_100);
  bus.nudge();
  await follower.stop();
  const before = reads.length;
  const pages = await Promise.all([99, 100].map((seq) => follower.readAfter(seq)));
  expect(pages.map(({ events, upTo }) => [events[0]?.seq, events.length, upTo])).toEqual([
    [100, 500, 599],
    [101, 500, 600],
  ]);
  expect(reads.slice(before)).toEqual([99]);
});

test('a reader passes numbers without an event at the end of the log', async () => {
  await append(2);
  await arena.query('update platform set last_seq = last_seq + 100');
  const follower = await openLogFollower({ source: databaseLog(arena.newEm), bus: localBus(), report: () => {} });
  expect(await follower.readAfter(2)).toEqual({ events: [], upTo: 102 });
  await follower.stop();
});

test('a reader gets no event that its process has not seen', async () => {
  await append(2);
  await arena.query('update platform set last_seq = last_seq + 5000');
  const log = databaseLog(arena.newEm);
  const source: LogSource = { ...log, after: async (seq, limit) => (seq < 5_002 ? log.after(seq, limit) : []) };
  const follower = await openLogFollower({ source, bus: localBus(), report: () => {} });
  await append(1);
  const { events, upTo } = await follower.readAfter(1);
  await follower.stop();
  expect([events.map(({ seq }) => seq), upTo]).toEqual([[2], 2]);
});

test('a reader whose next events were deleted meanwhile is refused, and gets no gap', async () => {
  await append(600);
  const follower = await openLogFollower({ source: databaseLog(arena.newEm), bus: localBus(), report: () => {} });
  await arena.query('delete from events where seq <= 20');
  await expect(follower.readAfter(19)).rejects.toThrow('after must be a seq from 20 to 600');
  const { events } = await follower.readAfter(20);
  expect(events[0]?.seq).toBe(21);
  await follower.stop();
});
