import { randomBytes } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { postgresQueues } from '../../src/backplane/local.ts';
import type { OpenQueue, Queue, QueueOptions } from '../../src/backplane/backplane.ts';
import { type Clock, clockFrom } from '../../src/clock.ts';
import { type JobDeps, type Jobs, startJobs } from '../../src/jobs/jobs.ts';
import { type Market, MarketUnavailable } from '../../src/market/market.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Arena, only, openArena } from '../support/arena.ts';
import { judging } from '../support/scripted-market.ts';
import { roundsNow } from '../support/rounds-now.ts';
import { until } from '../support/poll.ts';
import { recording, unreachable } from '../support/queues.ts';

let arena: Arena;
let reported: unknown[];
let running: Jobs[];
let looks: NodeJS.Timeout[];

beforeEach(async () => {
  arena = await openArena();
  reported = [];
  running = [];
  looks = [];
});

afterEach(async () => {
  for (const looking of looks) clearInterval(looking);
  await Promise.all(running.map((jobs) => jobs.close()));
  // What takes longer than closing waits, as on a busy machine, finds the database gone.
  const seen = [...reported];
  await arena.close();
  expect(seen).toEqual([]);
});

const START = '2026-01-01T00:30:00Z';

/** The service's time from half past midnight on, an hour in `hourMs` real milliseconds. */
function fastClock(hourMs: number): Clock {
  return clockFrom({ realAt: new Date(), serviceAt: new Date(START), speed: 3_600_000 / hourMs });
}

/**
 * The same, but it stands still half an hour after an hour's end until that round is decided and the next one runs: a
 * machine that is too busy to turn in time skips no hour.
 */
function patientClock(hourMs: number): Clock {
  const began = Date.now();
  let [limit, lost] = [began + hourMs, 0];
  const ms = (): number => {
    const behind = Math.max(0, Date.now() - lost - limit);
    lost += behind;
    return Date.now() - lost;
  };
  const looking = setInterval(() => {
    const look = arena.newEm().execute<{ hours: number }[]>(
      `select extract(epoch from end_time - ?::timestamptz)::float8 / 3600 as hours from rounds
       where status = 'active' and not exists (select from rounds where status = 'resolving')`,
      [START],
    );
    look.then(
      ([active]) => (limit = active === undefined ? limit : began + (active.hours + 0.5) * hourMs),
      () => clearInterval(looking),
    );
  }, 50);
  looks.push(looking);
  const anchor = { realAt: new Date(began), serviceAt: new Date(START), speed: 3_600_000 / hourMs };
  return clockFrom(anchor, { real: () => new Date(ms()), steadyMs: ms });
}

async function start(clock: Clock, parts: Partial<JobDeps> = {}): Promise<Jobs> {
  const openQueue = postgresQueues(arena.connection, report);
  const jobs = await startJobs({
    newEm: arena.newEm,
    market: arena.market,
    clock,
    openQueue,
    works: true,
    picks: 'open',
    lockMs: 0,
    keyPepper: undefined,
    randomBytes,
    announce,
    onEvents: () => () => {},
    log: arena.log,
    report,
    ...parts,
  });
  running.push(jobs);
  return jobs;
}

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

describe('round jobs', () => {
  test('the start creates a running round and the next', async () => {
    await start(clockFrom({ realAt: new Date(), serviceAt: new Date(START), speed: 1 }));
    expect(await roundsNow(arena)).toEqual(['00:00 active', '01:00 upcoming']);
  });

  test('hours turn, and each round is resolved while the next runs', async () => {
    await start(patientClock(3_000));
    await untilDecided(4);
    const rounds = await arena.query<{ follows: boolean | null; is_later: boolean | null }>(
      `select start_time = lag(end_time) over (order by start_time) as follows,
         decided_at > lag(decided_at) over (order by start_time) as is_later
       from rounds where status = 'resolved' order by start_time`,
    );
    expect(rounds.slice(0, 4).map(({ follows }) => follows)).toEqual([null, true, true, true]);
    expect(rounds.slice(0, 4).map(({ is_later }) => is_later)).toEqual([null, true, true, true]);
  });

  test('a restart continues with the state of queue and database', async () => {
    const clock = fastClock(400);
    const first = await start(clock);
    await untilDecided(1);
    await first.close();
    await start(clock);
    await untilDecided(4);
    expect((await statuses()).filter((status) => status === 'active').length).toBeLessThanOrEqual(1);
  });

  test('a timer turns and resolves rounds when the queue loses every job', async () => {
    const opened = new Map<string, QueueOptions>();
    const added: string[] = [];
    const losing: OpenQueue = async (options) => {
      opened.set(options.name, options);
      return recording(added);
    };
    await start(fastClock(150), { openQueue: losing });
    await untilDecided(3);
    expect([...opened.keys()]).toEqual(['resolve-round']);
    expect(added.every((id) => /^resolve-round-\d+$/.test(id))).toBe(true);
  });

  test('a round without candles is retried by its job when due, and is listed meanwhile', async () => {
    const opened: Queue[] = [];
    const openQueue: OpenQueue = async (options) => {
      const queue = await postgresQueues(arena.connection, report)(options);
      opened.push(queue);
      return queue;
    };
    let isMissing = true;
    const missing = { problem: 'no_prices' } as const;
    const market = judging(arena.market, (verdict) => (isMissing ? { ...verdict, ...missing } : verdict));
    await start(fastClock(3_000), { openQueue, market });
    const job = await until(
      'a failed attempt',
      async () => (await opened[0]?.jobs())?.find(({ attempts }) => attempts > 0) ?? null,
    );
    expect(job).toMatchObject({ id: 'resolve-round-1', lastError: 'The source does not have all final candles.' });
    isMissing = false;
    await untilDecided(1);
  });

  test('each round is resolved once while the queue is unreachable', async () => {
    const tries = new Map<number, number>();
    let priceless: Date | null = null;
    const market: Market = {
      ...arena.market,
      decide: async (assets, hours, now) => {
        const hour = hours.at(-1)?.getTime() ?? 0;
        tries.set(hour, (tries.get(hour) ?? 0) + 1);
        if (hour === priceless?.getTime() && (tries.get(hour) ?? 0) < 3) throw new MarketUnavailable('not yet');
        return arena.market.decide(assets, hours, now);
      },
    };
    await start(fastClock(3_000), { openQueue: unreachable, market });
    ({ start: priceless } = await only<{ start: Date }>(arena, 'select max(start_time) as start from rounds'));
    await untilDecided(3);
    const events = await arena.query<{ count: number }>(
      `select count(*)::int from events where kind = 'ROUND_RESOLVED' group by round_id`,
    );
    expect(events.every(({ count }) => count === 1)).toBe(true);
    expect(tries.get(priceless?.getTime() ?? 0)).toBe(3);
  });

  test('a process without workers adds the job of each ended round, and turns no hour by itself', async () => {
    const opened = new Map<string, QueueOptions>();
    const added: string[] = [];
    const openQueue: OpenQueue = async (options) => {
      opened.set(options.name, options);
      return recording(added);
    };
    const clock = manualClock(START);
    const jobs = await start(clock, { openQueue, works: false });
    expect([...opened.values()].map(({ run }) => run)).toEqual([null]);
    expect(added).toEqual([]);
    clock.set('2026-01-01T01:30:00Z');
    await jobs.reconcile();
    expect(added).toEqual(['resolve-round-1']);
    expect(await roundsNow(arena)).toEqual(['00:00 resolving', '01:00 active', '02:00 upcoming']);
  });

  test('a process without workers works without the queue too', async () => {
    const clock = manualClock(START);
    const jobs = await start(clock, { openQueue: unreachable, works: false });
    clock.set('2026-01-01T01:30:00Z');
    await jobs.reconcile();
    expect(await roundsNow(arena)).toEqual(['00:00 resolving', '01:00 active', '02:00 upcoming']);
  });
});

test('concurrent calls share a run, and close() waits for it', async () => {
  const added: string[] = [];
  const openQueue: OpenQueue = async () => recording(added);
  let isRequested = false;
  const answer = Promise.withResolvers<void>();
  const real = { ms: Date.parse(START) };
  const clock = clockFrom(
    { realAt: new Date(real.ms), serviceAt: new Date(real.ms), speed: 1 },
    { real: () => new Date(real.ms), steadyMs: () => real.ms },
  );
  const market: Market = {
    ...arena.market,
    async hourCandles() {
      if (real.ms === Date.parse(START)) return [];
      isRequested = true;
      await answer.promise;
      return [];
    },
  };
  const jobs = await start(clock, { openQueue, market });
  added.length = 0;
  // 12:00 asks about a threshold: the market is asked for what was before.
  real.ms = Date.parse('2026-01-01T12:30:00Z');
  const calls = Promise.all(Array.from({ length: 20 }, () => jobs.reconcile()));
  await until('the market asked', () => isRequested);
  const closing = jobs.close();
  answer.resolve();
  await closing;
  expect(await roundsNow(arena)).toEqual(['00:00 resolving', '12:00 active', '13:00 upcoming']);
  await calls;
  expect(added).toEqual(['resolve-round-1', 'resolve-round-1']);
});
