import { expect, test } from '@jest/globals';

import { appendEvents, checkResumable, databaseLog, type NewEvent } from '../../src/feed/event-log.ts';
import { only } from '../support/arena.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena();

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
