import { beforeEach, describe, expect, test } from '@jest/globals';

import { openResolveJobs, type ResolveJobsDeps } from '../../src/jobs/resolve/resolve-jobs.ts';
import { resolveWaiting } from '../../src/jobs/resolve/waiting-rounds.ts';
import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import type { HourVerdict, Market } from '../../src/market/market.ts';
import { addHours, DAY } from '../../src/rules/hours.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { judging } from '../support/scripted-market.ts';
import { hourAsking, type PlayedRound, playRound } from './played-round.ts';
import { until } from '../support/poll.ts';
import { unreachable } from '../support/queues.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena(2);
let clock: ManualClock;
let reported: unknown[];
let rounds: readonly PlayedRound[];

/** Three rounds on end that are over. */
beforeEach(async () => {
  reported = [];
  const first = hourAsking('relative', new Date('2026-01-01T12:00:00Z'));
  const played = [];
  for (const ahead of [0, 1, 2]) played.push(await playRound(arena, addHours(first, ahead), [[1, 0, 80]]));
  rounds = played;
  clock = manualClock((played.at(-1)?.end ?? first).toISOString());
});

function needsWith(market: Market): Omit<ResolveJobsDeps, 'wakeIn'> {
  return {
    ...arena,
    market,
    clock,
    log: arena.log,
    announce: () => {},
    onEvents: () => () => {},
    openQueue: unreachable,
    works: true,
    report: (error) => reported.push(error),
  };
}

function idOf(place: number): number {
  const round = rounds[place];
  if (round === undefined) throw new Error(`There is no round ${place}`);
  return round.id;
}

/** A market that says of the rounds at these places what `change` makes of it. */
function marketWhere(
  places: readonly number[],
  change: (verdict: HourVerdict) => HourVerdict | Promise<HourVerdict>,
): Market {
  const hours = places.map((place) => rounds[place]?.start.getTime());
  return judging(arena.market, (verdict, hour) => (hours.includes(hour.getTime()) ? change(verdict) : verdict));
}

const silent = (verdict: HourVerdict): HourVerdict => ({ ...missing(verdict), answered: 0 });
const missing = (verdict: HourVerdict): HourVerdict => ({ ...verdict, problem: 'no_prices' });

/** The rounds that are decided, by place, in the order of their decisions. */
async function decided(): Promise<readonly number[]> {
  const rows = await arena.query<{ round_id: number }>(
    `select round_id from events where kind in ('ROUND_RESOLVED', 'ROUND_VOID') order by seq`,
  );
  return rows.map(({ round_id }) => rounds.findIndex(({ id }) => id === round_id));
}

async function rowOf(place: number) {
  const [row] = await arena.query<{ status: string; attempts: number; last_problem: string | null; try_after: Date }>(
    'select status, attempts, last_problem, try_after from rounds where id = $1',
    [idOf(place)],
  );
  return row;
}

describe('waiting rounds', () => {
  test('waiting rounds are decided in the order of their hours, whichever is requested', async () => {
    const ends = await resolveWaiting(needsWith(arena.market), { isWanted: ({ id }) => id === idOf(2) });
    expect(await decided()).toEqual([0, 1, 2]);
    expect(ends.get(idOf(2))).toEqual({ kind: 'decided' });
  });

  test('waiting rounds are announced as decided once that is committed', async () => {
    const seen: Promise<readonly number[]>[] = [];
    const announce = (): void => void seen.push(decided());
    await resolveWaiting({ ...needsWith(arena.market), announce }, { isWanted: () => true });
    const atLeast = (await Promise.all(seen)).map((found, n) => found.length > n);
    expect(atLeast).toEqual([true, true, true]);
  });

  test('waiting rounds are skipped only while their own candles are missing', async () => {
    await resolveWaiting(needsWith(marketWhere([1], missing)), { isWanted: ({ id }) => id === idOf(2) });
    expect(await decided()).toEqual([0, 2]);
    expect(await rowOf(1)).toMatchObject({ status: 'resolving', attempts: 1 });
    await resolveWaiting(needsWith(arena.market), { isWanted: () => true });
    expect(await decided()).toEqual([0, 2, 1]);
  });

  test('waiting rounds are not tried before they are due because an earlier one cannot be decided', async () => {
    const hours: number[] = [];
    const market = judging(arena.market, (verdict, hour) => {
      hours.push(rounds.findIndex(({ start }) => start.getTime() === hour.getTime()));
      return missing(verdict);
    });
    await resolveWaiting(needsWith(market), { isWanted: ({ id }) => id === idOf(2) });
    expect(hours).toEqual([2]);
  });

  test('waiting rounds stay in order when older candles arrive more slowly', async () => {
    const later = Promise.withResolvers<void>();
    const market = judging(arena.market, async (verdict, hour) => {
      if (hour.getTime() === rounds[2]?.start.getTime()) later.resolve();
      else await later.promise;
      return verdict;
    });
    await resolveWaiting(needsWith(market), { isWanted: () => true });
    expect(await decided()).toEqual([0, 1, 2]);
  });

  test('waiting rounds do not delay later ones while the market hangs, and are decided afterwards', async () => {
    const hanging = Promise.withResolvers<void>();
    const market = marketWhere([0], async (verdict) => {
      await hanging.promise;
      return verdict;
    });
    const all = resolveWaiting(needsWith(market), { isWanted: () => true });
    await until('the later ones decided', async () => (await decided()).length === 2);
    expect(await decided()).toEqual([1, 2]);
    hanging.resolve();
    await all;
    expect(await decided()).toEqual([1, 2, 0]);
  });

  test('waiting rounds stay in order when several processes try at once', async () => {
    const tries = Array.from({ length: 4 }, (_, place) =>
      resolveWaiting(needsWith(arena.market), { isWanted: ({ id }) => id === idOf(place % 3) }),
    );
    await Promise.all(tries);
    expect(await decided()).toEqual([0, 1, 2]);
  });
});

describe('failed attempt', () => {
  test('an attempt that fails by the round’s own fault is recorded and delays no other round', async () => {
    await arena.query(`alter table candles add constraint broken check (round_id <> ${idOf(0)}) not valid`);
    const ends = await resolveWaiting(needsWith(arena.market), { isWanted: () => true });
    await arena.query('alter table candles drop constraint broken');
    expect(ends.get(idOf(0))).toMatchObject({ kind: 'failed' });
    expect(await decided()).toEqual([1, 2]);
    expect(await rowOf(0)).toMatchObject({
      status: 'resolving',
      attempts: 1,
      last_problem: 'The service failed to decide it; the log has the error.',
      try_after: new Date(clock.now().getTime() + 3_000),
    });
    expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('broken') })]);
  });

  test.each([
    ['without the database', '57P01'],
    ['in a deadlock', '40P01'],
  ])('an attempt that fails %s delays later rounds, so that the order stays', async (_, code) => {
    const market = marketWhere([0], () => {
      throw Object.assign(new Error('The database ended it'), { code });
    });
    const ends = await resolveWaiting(needsWith(market), { isWanted: () => true });
    expect([...ends.values()].map(({ kind }) => kind)).toEqual(['failed', 'held', 'held']);
    expect(await decided()).toEqual([]);
    await resolveWaiting(needsWith(arena.market), { isWanted: () => true });
    expect(await decided()).toEqual([0, 1, 2]);
  });
});

describe('resolver', () => {
  test('the resolver tries due rounds, and all waiting ones when a source recovers', async () => {
    let state: 'down' | 'up' = 'down';
    const market: Market = {
      ...judging(arena.market, (verdict) => (state === 'up' ? verdict : silent(verdict))),
      status: () => [
        { source: 'kraken', state, lastSuccessAt: null, lastErrorAt: null, lastError: null, lateTries: 0 },
      ],
    };
    const wakes: number[] = [];
    const resolver = await openResolveJobs({ ...needsWith(market), wakeIn: (ms) => wakes.push(ms) });
    const wake = async (): Promise<void> => {
      void resolver.add();
      await resolver.settled();
    };
    await wake();
    expect(await rowOf(0)).toMatchObject({ attempts: 1, last_problem: 'No source of prices answered.' });
    expect(wakes).toEqual([3_000, 3_000, 3_000]);
    await wake();
    expect(await rowOf(0)).toMatchObject({ attempts: 1 });
    clock.set(new Date(clock.now().getTime() + 3_000));
    await wake();
    expect(await rowOf(0)).toMatchObject({ attempts: 2 });
    state = 'up';
    await wake();
    expect(await decided()).toEqual([0, 1, 2]);
  });

  test('the resolver starts no attempt twice, and tries new rounds while an old one hangs', async () => {
    const hanging = Promise.withResolvers<void>();
    let requests = 0;
    const market = marketWhere([0], async (verdict) => {
      requests += 1;
      await hanging.promise;
      return missing(verdict);
    });
    await arena.query('update rounds set try_after = $1 where id <> $2', [addHours(clock.now(), 1), idOf(0)]);
    const resolver = await openResolveJobs({ ...needsWith(market), wakeIn: () => {} });
    await arena.query(`update rounds set status = 'upcoming' where id = $1`, [idOf(2)]);
    void resolver.add();
    await until('the old round asked for', () => requests === 1);
    await arena.query(`update rounds set status = 'resolving', try_after = null where id = $1`, [idOf(2)]);
    void resolver.add();
    await until('the new one decided', async () => (await decided()).includes(2));
    hanging.resolve();
    await resolver.settled();
    expect(requests).toBe(1);
  });

  test('the resolver catches up after a day down although sources start later than the service', async () => {
    const now = addHours(clock.now(), 26);
    clock.set(now);
    await reconcile(arena, now);
    let isSilent = true;
    const market = judging(arena.market, (verdict) => (isSilent ? silent(verdict) : verdict));
    const wakes: number[] = [];
    const resolver = await openResolveJobs({ ...needsWith(market), wakeIn: (ms) => wakes.push(ms) });
    void resolver.add();
    await resolver.settled();
    expect(await decided()).toEqual([]);
    isSilent = false;
    clock.set(new Date(now.getTime() + Math.max(...wakes)));
    void resolver.add();
    await resolver.settled();
    expect(clock.now().getTime() - now.getTime()).toBeLessThan(DAY);
    expect(await arena.query(`select status from rounds where id = any($1)`, [rounds.map(({ id }) => id)])).toEqual(
      rounds.map(() => ({ status: 'resolved' })),
    );
    expect((await decided()).slice(0, 3)).toEqual([0, 1, 2]);
  });
});
