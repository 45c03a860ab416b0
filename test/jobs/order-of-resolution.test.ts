import { expect, test } from '@jest/globals';

import { resolveRound } from '../../src/jobs/resolve/resolve-round.ts';
import { openResolveJobs } from '../../src/jobs/resolve/resolve-jobs.ts';
import { addHours } from '../../src/rules/hours.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/poll.ts';
import { judging } from '../support/scripted-market.ts';
import { assetOf, hourAsking, playRound } from './played-round.ts';
import { unreachable } from '../support/queues.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena(1);

test('decision times are in order, also between processes with different clocks', async () => {
  const noon = new Date('2026-01-01T12:00:00Z');
  const first = hourAsking('direction', noon);
  const second = hourAsking('direction', addHours(first, 1));
  const played = [];
  for (const start of [first, second]) {
    const round = await playRound(arena, start, [[1, 0, 90]]);
    arena.market.script(assetOf(round), start, ['100', '103', '99', '101']);
    played.push(round);
  }
  const [earlier, later] = played;
  if (earlier === undefined || later === undefined) throw new Error('Two rounds were played');
  const now = new Date(later.end.getTime() + 1_000);
  await resolveRound(arena, later.id, { now });
  await resolveRound(arena, earlier.id, { now: new Date(now.getTime() - 500) });
  const rows = await arena.query<{ id: number; decided_at: Date }>(
    'select id, decided_at from rounds where decided_at is not null order by decided_at',
  );
  expect(rows).toEqual([
    { id: later.id, decided_at: now },
    { id: earlier.id, decided_at: new Date(now.getTime() + 1) },
  ]);
});

test('an older round whose attempt saw no candles is retried before a later one', async () => {
  const first = hourAsking('relative', new Date('2026-01-01T12:00:00Z'));
  const [older, later] = [await playRound(arena, first), await playRound(arena, addHours(first, 1))];
  const slow = Promise.withResolvers<void>();
  const hours: number[] = [];
  const market = judging(arena.market, async (verdict, hour) => {
    hours.push(hour.getTime());
    if (hour.getTime() !== first.getTime() || hours.length > 2) return verdict;
    await slow.promise;
    return { ...verdict, problem: 'no_prices' as const };
  });
  const resolver = await openResolveJobs({
    ...arena,
    market,
    clock: manualClock(later.end.toISOString()),
    announce: () => {},
    onEvents: () => () => {},
    openQueue: unreachable,
    works: true,
    report: fail,
    wakeIn: () => {},
  });
  await arena.query(`update rounds set status = 'upcoming' where id = $1`, [later.id]);
  await resolver.add();
  await until('the older one is asked for', () => hours.length === 1);
  await arena.query(`update rounds set status = 'resolving' where id = $1`, [later.id]);
  await resolver.add();
  await until('the later one is asked for', () => hours.length === 2);
  slow.resolve();
  await resolver.settled();
  expect(await decidedIds()).toEqual([older.id, later.id]);
  expect(hours).toHaveLength(3);
});

async function decidedIds(): Promise<readonly number[]> {
  const rows = await arena.query<{ id: number }>(
    `select round_id as id from events where kind in ('ROUND_RESOLVED', 'ROUND_VOID') order by seq`,
  );
  return rows.map(({ id }) => id);
}

function fail(error: unknown): never {
  throw error;
}
