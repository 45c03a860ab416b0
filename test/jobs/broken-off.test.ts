import { beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';

import { resolveRound, type AttemptResult } from '../../src/jobs/resolve/resolve-round.ts';
import { submissionReferences } from '../../src/references/references.ts';
import { addHours } from '../../src/rules/hours.ts';
import { only } from '../support/arena.ts';
import { hourAsking, type PlayedRound, playRound } from './played-round.ts';
import { until } from '../support/poll.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena(3);
let round: PlayedRound;

beforeEach(async () => {
  const earlier = await playRound(arena, hourAsking('relative', new Date('2026-01-01T00:00:00Z')), [[1, 0, 90]]);
  await resolveRound(arena, earlier.id, { now: earlier.end });
  round = await playRound(arena, hourAsking('breadth', earlier.end), [
    [1, 0, 80],
    [2, 1, 80],
    [3, 0, 40],
  ]);
  // The prices of the hour are kept as it goes, and stay whatever becomes of a decision.
  await submissionReferences(arena, { id: round.id, endTime: round.end });
});

function resolve(): Promise<AttemptResult> {
  return resolveRound(arena, round.id, { now: addHours(round.end, 2) });
}

async function resolvesInTheEnd(): Promise<void> {
  await resolve();
  expect(await only(arena, 'select status from rounds where id = $1', [round.id])).toEqual({ status: 'resolved' });
  expect(await only(arena, 'select count(*)::int as n, sum(alltime_competitions)::int as c from standings')).toEqual({
    n: 3,
    c: 4,
  });
}

test.each([
  ['a candle', 'candles', 'fetched_at < $1'],
  ['a score', 'scores', 'place < 3'],
  ['a standing', 'standings', 'alltime_competitions < 2'],
  ['a place on a board', 'board_places', `period <> 'alltime'`],
  ['the totals of the platform', 'platform', 'resolved_rounds < 2'],
  ['the last event', 'events', `kind <> 'LEADERBOARD_CHANGED'`],
])('a resolution that fails at %s leaves nothing behind, and the next one succeeds', async (_, table, holds) => {
  const before = await arena.contents();
  const condition = holds.replace('$1', `'${round.end.toISOString()}'`);
  await arena.query(`alter table ${table} add constraint broken check (${condition}) not valid`);
  await expect(resolve()).rejects.toThrow('broken');
  await arena.query(`alter table ${table} drop constraint broken`);
  expect(await arena.contents()).toBe(before);
  await resolvesInTheEnd();
});

test('a resolution that loses its connection leaves nothing behind, and the next one succeeds', async () => {
  const before = await arena.contents();
  const holder = new Client(arena.connection);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from platform for update');
  const failed = expect(resolve()).rejects.toThrow();
  const { pid } = await until('a resolution that waits for the platform row', async () => {
    const [row] = await arena.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row ?? null;
  });
  await arena.query('select pg_terminate_backend($1)', [pid]);
  await failed;
  await holder.query('rollback');
  await holder.end();
  expect(await arena.contents()).toBe(before);
  await resolvesInTheEnd();
});
