import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { postgresQueues } from '../../src/backplane/postgres-queue.ts';
import { type OpenQueue, type Queue, type QueueOptions, QueueUnavailable } from '../../src/backplane/queue.ts';
import { type Clock, clockFrom } from '../../src/clock.ts';
import { type JobNeeds, type Jobs, startJobs } from '../../src/jobs/jobs.ts';
import { type Market, MarketUnavailable } from '../../src/market/market.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Arena, only, openArena } from './arena.ts';
import { emptyMarket, roundsNow } from './rounds-now.ts';
import { until } from './until.ts';

let arena: Arena;
let reported: unknown[];
let running: Jobs[];

beforeEach(async () => {
  arena = await openArena();
  reported = [];
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((jobs) => jobs.close()));
  await arena.close();
  expect(reported).toEqual([]);
});

const START = '2026-01-01T00:30:00Z';

/** The service's time from half past midnight on, an hour in `hourMs` real milliseconds. */
function fastClock(hourMs: number): Clock {
  return clockFrom({ realAt: new Date(), serviceAt: new Date(START), speed: 3_600_000 / hourMs });
}

async function start(clock: Clock, parts: Partial<JobNeeds> = {}): Promise<Jobs> {
  const openQueue = postgresQueues(arena.connection, report);
  const jobs = await startJobs({
    newEm: arena.newEm,
    market: arena.market,
    clock,
    openQueue,
    works: true,
    announce,
    report,
    ...parts,
  });
  running.push(jobs);
  return jobs;
}

/** A queue that notes the ids of what is added to it, and runs nothing. */
function recording(added: string[]): Queue {
  return {
    add: async ({ id }) => void added.push(id),
    counts: async () => ({ waiting: 0, delayed: 0, active: 0, failed: 0 }),
    close: async () => {},
  };
}

/** Queues that nothing can be added to. */
const unreachable: OpenQueue = async () => ({
  ...recording([]),
  add: () => Promise.reject(new QueueUnavailable('It is away')),
});

function announce(): void {}

function report(error: unknown): void {
  reported.push(error);
}

async function statuses(): Promise<readonly string[]> {
  const rows = await arena.query<{ status: string }>('select status from rounds order by start_time');
  return rows.map(({ status }) => status);
}

/** Looks until as many rounds are decided, and answers all rounds. */
function untilDecided(count: number): Promise<readonly string[]> {
  return until(`${count} decided rounds`, async () => {
    const seen = await statuses();
    return seen.filter((status) => status === 'resolved' || status === 'void').length >= count && seen;
  });
}

describe('the clockwork', () => {
  test('has a running and a next round when it has started', async () => {
    await start(clockFrom({ realAt: new Date(), serviceAt: new Date(START), speed: 1 }));
    expect(await roundsNow(arena)).toEqual(['00:00 active', '01:00 upcoming']);
  });

  test('turns the hours and resolves each round while the next runs', async () => {
    const clock = fastClock(1_000);
    await start(clock);
    await untilDecided(4);
    const rounds = await arena.query<{ hours_late: number; follows: boolean | null }>(
      `select extract(epoch from decided_at - end_time)::float / 3600 as hours_late,
         start_time = lag(end_time) over (order by start_time) as follows
       from rounds where status = 'resolved' order by start_time`,
    );
    expect(rounds.slice(0, 4).map(({ follows }) => follows)).toEqual([null, true, true, true]);
    for (const { hours_late } of rounds) expect(hours_late).toBeLessThan(1);
  });

  test('lets rounds pass one that has no prices, which is void a day after its end', async () => {
    let priceless: Date | null = null;
    const market: Market = {
      ...arena.market,
      hourCandles: async (one, from, to, now) => {
        const candles = await arena.market.hourCandles(one, from, to, now);
        return candles.filter(({ hourStart }) => hourStart.getTime() !== priceless?.getTime());
      },
    };
    await start(fastClock(400), { market });
    ({ start: priceless } = await only<{ start: Date }>(arena, 'select max(start_time) as start from rounds'));
    const round = await until('that round decided', async () => {
      const [row] = await arena.query<{ hours: number; passed: number }>(
        `select status, void_reason, extract(epoch from decided_at - end_time)::float / 3600 as hours,
           (select count(*)::int from rounds later where later.decided_at < r.decided_at) as passed
         from rounds r where start_time = $1 and decided_at is not null`,
        [priceless],
      );
      return row ?? null;
    });
    expect(round).toMatchObject({ status: 'void', void_reason: 'no_prices' });
    expect(round.hours).toBeGreaterThanOrEqual(24);
    expect(round.passed).toBeGreaterThan(10);
  });

  test('goes on after a restart with what the queue and the database hold', async () => {
    const clock = fastClock(400);
    const first = await start(clock);
    await untilDecided(1);
    await first.close();
    await start(clock);
    await untilDecided(4);
    expect((await statuses()).filter((status) => status === 'active').length).toBeLessThanOrEqual(1);
  });

  test('turns by its own timer when the queue loses every job, and enqueues again what still waits', async () => {
    const opened = new Map<string, QueueOptions>();
    const added: string[] = [];
    const losing: OpenQueue = async (options) => {
      opened.set(options.name, options);
      return recording(added);
    };
    await start(fastClock(150), { openQueue: losing, market: emptyMarket(arena.market) });
    await until('three closed rounds', async () => (await statuses()).filter((one) => one === 'resolving').length >= 3);
    expect([...opened.keys()].toSorted()).toEqual(['resolve-round', 'round-cycle']);
    expect(added.filter((id) => id === 'resolve-1').length).toBeGreaterThan(1);
  });

  test('resolves by itself, once a round, while the queue is out of reach, and waits as a job does', async () => {
    const asked = new Map<number, number>();
    let priceless: Date | null = null;
    const market: Market = {
      ...arena.market,
      decide: async (assets, hours, now) => {
        const hour = hours.at(-1)?.getTime() ?? 0;
        asked.set(hour, (asked.get(hour) ?? 0) + 1);
        if (hour === priceless?.getTime() && (asked.get(hour) ?? 0) < 3) throw new MarketUnavailable('not yet');
        return arena.market.decide(assets, hours, now);
      },
    };
    await start(fastClock(300), { openQueue: unreachable, market });
    ({ start: priceless } = await only<{ start: Date }>(arena, 'select max(start_time) as start from rounds'));
    await untilDecided(6);
    const events = await arena.query<{ count: number }>(
      `select count(*)::int from events where kind = 'ROUND_RESOLVED' group by round_id`,
    );
    expect(events.every(({ count }) => count === 1)).toBe(true);
    expect(asked.get(priceless?.getTime() ?? 0)).toBe(3);
  });

  test('of a process that leaves the work to others adds what is over, and turns nothing by itself', async () => {
    const opened = new Map<string, QueueOptions>();
    const added: string[] = [];
    const openQueue: OpenQueue = async (options) => {
      opened.set(options.name, options);
      return recording(added);
    };
    const clock = manualClock(START);
    const jobs = await start(clock, { openQueue, works: false });
    expect([...opened.values()].map(({ run }) => run)).toEqual([null, null]);
    expect(added).toEqual([]);
    clock.set('2026-01-01T01:30:00Z');
    await jobs.reconcile();
    expect(added).toEqual(['resolve-1']);
    expect(await roundsNow(arena)).toEqual(['00:00 resolving', '01:00 active', '02:00 upcoming']);
  });

  test('of a process that leaves the work to others does without the queue too', async () => {
    const clock = manualClock(START);
    const jobs = await start(clock, { openQueue: unreachable, works: false });
    clock.set('2026-01-01T01:30:00Z');
    await jobs.reconcile();
    expect(await roundsNow(arena)).toEqual(['00:00 resolving', '01:00 active', '02:00 upcoming']);
  });
});

test('calls at the same moment share a run, and closing waits for it', async () => {
  const added: string[] = [];
  const openQueue: OpenQueue = async () => recording(added);
  let asked = false;
  const answer = Promise.withResolvers<void>();
  const real = { ms: Date.parse(START) };
  const clock = clockFrom(
    { realAt: new Date(real.ms), serviceAt: new Date(real.ms), speed: 1 },
    { real: () => new Date(real.ms) },
  );
  const market: Market = {
    ...arena.market,
    async hourCandles() {
      if (real.ms === Date.parse(START)) return [];
      asked = true;
      await answer.promise;
      return [];
    },
  };
  const jobs = await start(clock, { openQueue, market });
  added.length = 0;
  // 12:00 asks about a threshold: the market is asked for what was before.
  real.ms = Date.parse('2026-01-01T12:30:00Z');
  const calls = Promise.all(Array.from({ length: 20 }, () => jobs.reconcile()));
  await until('the market asked', () => asked);
  const closing = jobs.close();
  answer.resolve();
  await closing;
  expect(await roundsNow(arena)).toEqual(['00:00 resolving', '12:00 active', '13:00 upcoming']);
  await calls;
  expect(added.filter((id) => id.startsWith('turn-'))).toHaveLength(2);
});
