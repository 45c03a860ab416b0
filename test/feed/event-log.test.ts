import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { localBus } from '../../src/backplane/local.ts';
import { appendEvents, checkResumable, databaseLog, type LogSource, type NewEvent } from '../../src/feed/event-log.ts';
import { openLogFollower } from '../../src/feed/log-follower.ts';
import { type Arena, only, openArena } from '../support/arena.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});

beforeEach(() => arena.reset());

afterAll(() => arena.close());

const NOON = new Date('2026-01-01T12:00:00.123Z');

function stored(roundId: number): NewEvent {
  return { kind: 'ROUND_STORED', roundId, payload: {} };
}

function append(events: readonly NewEvent[], afterwards: () => Promise<void> = async () => {}): Promise<void> {
  return arena.newEm().transactional(async (transaction) => {
    await appendEvents(transaction, NOON, events);
    await afterwards();
  });
}

async function log() {
  const rows = await arena.query<{ seq: number; round_id: number | null }>(
    'select seq, round_id from events order by seq',
  );
  return rows.map(({ seq, round_id }) => [seq, round_id]);
}

test('events get consecutive numbers from 1, and are read unchanged', async () => {
  const payload = { agentId: 7, from: 'silver', to: 'gold', nested: ['a "quoted" \\ text', null, 1.5] };
  await append([
    stored(3),
    { kind: 'TIER_CHANGED', roundId: 2, payload },
    { kind: 'LEADERBOARD_CHANGED', roundId: null, payload: {} },
  ]);
  await append([stored(1)]);
  expect(await arena.query('select seq, kind, at, round_id, payload from events order by seq')).toEqual([
    { seq: 1, kind: 'ROUND_STORED', at: NOON, round_id: 3, payload: {} },
    { seq: 2, kind: 'TIER_CHANGED', at: NOON, round_id: 2, payload },
    { seq: 3, kind: 'LEADERBOARD_CHANGED', at: NOON, round_id: null, payload: {} },
    { seq: 4, kind: 'ROUND_STORED', at: NOON, round_id: 1, payload: {} },
  ]);
  expect(await only(arena, 'select last_seq from platform')).toEqual({ last_seq: 4 });
});

test('an empty append uses no number', async () => {
  await append([]);
  expect(await log()).toEqual([]);
  expect(await only(arena, 'select last_seq from platform')).toEqual({ last_seq: 0 });
});

test('a rolled back transaction uses no number', async () => {
  await append([stored(1)]);
  await expect(append([stored(2), stored(3)], () => Promise.reject(new Error('broken off')))).rejects.toThrow(
    'broken off',
  );
  await append([stored(4)]);
  expect(await log()).toEqual([
    [1, 1],
    [2, 4],
  ]);
});

test('concurrent transactions with rollbacks leave no gap and keep their events together', async () => {
  const fates = Array.from({ length: 60 }, (_, place) => ({ id: 10 * place, size: place % 4, fails: place % 5 === 0 }));
  await Promise.allSettled(
    fates.map(({ id, size, fails }) =>
      append(
        Array.from({ length: size }, (_, place) => stored(id + place)),
        async () => {
          if (fails) throw new Error('broken off');
        },
      ),
    ),
  );
  const seen = await log();
  const kept = fates.filter(({ fails }) => !fails);
  expect(seen.map(([seq]) => seq)).toEqual(
    Array.from({ length: kept.reduce((sum, { size }) => sum + size, 0) }, (_, at) => at + 1),
  );
  const order = seen.map(([, roundId]) => Number(roundId));
  for (const { id, size } of kept) {
    const first = order.indexOf(id);
    if (size > 0) expect(order.slice(first, first + size)).toEqual(Array.from({ length: size }, (_, at) => id + at));
  }
});

test('numbers follow the order of commits: a reader of seq n finds every lower one', async () => {
  const holes: unknown[] = [];
  const writing = { over: false };
  const reading = (async () => {
    while (!writing.over) {
      const { n, last } = await only<{ n: number; last: number }>(
        arena,
        'select count(*)::int as n, coalesce(max(seq), 0) as last from events',
      );
      if (n !== last) holes.push({ n, last });
    }
  })();
  await Promise.all(Array.from({ length: 200 }, (_, id) => append([stored(id), stored(id)])));
  writing.over = true;
  await reading;
  expect(holes).toEqual([]);
  expect(await log()).toHaveLength(400);
});

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
  await append(Array.from({ length: 9 }, (_, place) => stored(place + 1)));
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
  await append(Array.from({ length: 1_100 }, (_, place) => stored(place)));
  bus.nudge();
  await follower.stop();
  expect(seen).toEqual(Array.from({ length: 1_100 }, (_, place) => place + 1));
  expect([follower.lastSeq(), failures]).toEqual([1_100, []]);
});

test('a follower remembers the newest 2,000 events, and reads older ones from the log', async () => {
  const { source, reads } = counted();
  const bus = localBus();
  const follower = await openLogFollower({ source, bus, report: () => {} });
  await append(Array.from({ length: 2_100 }, (_, place) => stored(place)));
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
  await append([stored(1), stored(2)]);
  await arena.query('update platform set last_seq = last_seq + 100');
  const follower = await openLogFollower({ source: databaseLog(arena.newEm), bus: localBus(), report: () => {} });
  expect(await follower.readAfter(2)).toEqual({ events: [], upTo: 102 });
  await follower.stop();
});

test('a seq can be resumed from just before the oldest stored event to the end of the log', async () => {
  const source = databaseLog(arena.newEm);
  const refused = async (...seqs: readonly number[]) => {
    const settled = await Promise.allSettled(seqs.map((seq) => checkResumable(source, seq)));
    return seqs.filter((_, place) => settled[place]?.status === 'rejected');
  };
  expect(await refused(0, 1)).toEqual([1]);
  await append(Array.from({ length: 6 }, (_, place) => stored(place)));
  expect(await refused(0, 6, 7)).toEqual([7]);
  await arena.query('delete from events where seq <= 3');
  expect(await refused(2, 3, 6)).toEqual([2]);
  await arena.query('delete from events');
  expect(await refused(5, 6, 7)).toEqual([5, 7]);
});

test('a reader whose next events were deleted meanwhile is refused, and gets no gap', async () => {
  await append(Array.from({ length: 600 }, (_, place) => stored(place)));
  const follower = await openLogFollower({ source: databaseLog(arena.newEm), bus: localBus(), report: () => {} });
  await arena.query('delete from events where seq <= 20');
  await expect(follower.readAfter(19)).rejects.toThrow('after must be a seq from 20 to 600');
  const { events } = await follower.readAfter(20);
  expect(events[0]?.seq).toBe(21);
  await follower.stop();
});
