import { beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';

import { localBus } from '../../src/backplane/local.ts';
import { lockUntilCommit } from '../../src/entities/advisory-locks.ts';
import { databaseLog } from '../../src/feed/event-log.ts';
import { openLogFollower } from '../../src/feed/log-follower.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { resolveRound } from '../../src/jobs/resolve/resolve-round.ts';
import { openResolveJobs, type ResolveJobsDeps } from '../../src/jobs/resolve/resolve-jobs.ts';
import { decidedMinutes } from '../../src/reads/crowd.ts';
import { addHours } from '../../src/rules/hours.ts';
import { only } from '../support/arena.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { until, untilItBlocks } from '../support/poll.ts';
import { judging } from '../support/scripted-market.ts';
import { amendRound } from './amended-round.ts';
import { playRound, type PlayedRound } from './played-round.ts';
import { unreachable } from '../support/queues.ts';
import { sharedArena } from '../support/shared.ts';

/** The last hours of a day that is also the last one of its month; the next day has begun. */
const EVENING = new Date('2026-01-31T21:00:00Z');
const NEXT_DAY = '2026-02-01T00:10:00Z';

const arena = sharedArena(3);
let rounds: readonly PlayedRound[];
let reported: unknown[];
let clock: ManualClock;

/** Three rounds are decided, and the process has ended before anything followed from it. */
beforeEach(async () => {
  [reported, clock] = [[], manualClock(NEXT_DAY)];
  const played: PlayedRound[] = [];
  for (const hour of [0, 1, 2]) {
    const start = addHours(EVENING, hour);
    const round = await playRound(arena, start, [
      [1, 0, 80],
      [2, 1, 60],
      [3, 0, 30],
    ]);
    await resolveRound(arena, round.id, { now: round.end });
    played.push(round);
  }
  rounds = played;
});

/** A process that starts, on the same database as the others. */
async function startWorker(parts: Partial<ResolveJobsDeps> = {}) {
  const worker = await openResolveJobs({
    ...arena,
    clock,
    log: arena.log,
    announce: () => {},
    onEvents: () => () => {},
    report: (error) => void reported.push(error),
    wakeIn: () => {},
    openQueue: unreachable,
    works: true,
    ...parts,
  });
  await worker.add();
  return worker;
}

/** What follows from the decisions, and how much of it there is. */
async function followed() {
  const tables = {
    minutes: 'select sum(n)::int as n from crowd_minutes',
    tallied: `select sum(n)::int as n from daily_tallies where day = -1 and first_dimension = 'WEEKDAY' and second_dimension = ''`,
    marked: 'select count(*)::int as n from rounds where counted_at is not null',
    boards: 'select count(*)::int as n from archives',
  };
  const found: Record<string, number> = {};
  for (const [name, query] of Object.entries(tables))
    found[name] = (await only<{ n: number | null }>(arena, query)).n ?? 0;
  return found;
}

const NOTHING = { minutes: 0, tallied: 0, marked: 0, boards: 0 };
/** Each of the nine predictions once; a day and a month, whose week goes on. */
const ALL = { minutes: 9, tallied: 9, marked: 3, boards: 2 };

test('the next start completes the follow-up work of a killed process', async () => {
  expect(await followed()).toEqual(NOTHING);
  await (await startWorker()).settled();
  expect(await followed()).toEqual(ALL);
  await (await startWorker()).settled();
  expect({ ...(await followed()), reported }).toEqual({ ...ALL, reported: [] });
});

test('two concurrent starts complete follow-up work exactly once', async () => {
  await Promise.all([startWorker(), startWorker()].map(async (worker) => (await worker).settled()));
  expect({ ...(await followed()), reported }).toEqual({ ...ALL, reported: [] });
});

test('follow-up work killed between two rounds leaves whole rounds, and the next run continues', async () => {
  let checks = 0;
  await afterResolution({ ...arena, isStopped: () => ++checks > rounds.length - 1 }, new Date(NEXT_DAY));
  expect(await followed()).toEqual({ minutes: 6, tallied: 6, marked: 2, boards: 0 });
  await (await startWorker()).settled();
  expect(await followed()).toEqual(ALL);
});

test('failed follow-up work is retried by the same process without another decision', async () => {
  const worker = await startWorker();
  await worker.settled();
  const late = await playRound(arena, addHours(EVENING, 3), [[1, 0, 80]]);
  clock.set(addHours(late.end, 1));
  await arena.query(`alter table crowd_minutes add constraint broken check (round_id < ${late.id}) not valid`);
  await worker.add();
  await worker.settled();
  expect({ ...(await followed()), failures: reported.length }).toEqual({ ...ALL, failures: 1 });
  await arena.query('alter table crowd_minutes drop constraint broken');
  await worker.add();
  await worker.settled();
  expect(await followed()).toEqual({ ...ALL, minutes: 10, tallied: 10, marked: 4 });
});

test('follow-up work of a round decided during another run is retried after a failure', async () => {
  const worker = await startWorker();
  await worker.settled();
  const late: PlayedRound[] = [];
  for (const hour of [3, 4]) late.push(await playRound(arena, addHours(EVENING, hour), [[1, 0, 80]]));
  const [first, second] = late;
  if (first === undefined || second === undefined) throw new Error('Two rounds were played');
  clock.set(addHours(second.end, 1));
  await arena.query(`update rounds set try_after = $1 where id = $2`, [addHours(clock.now(), 1), second.id]);
  // What follows from the first stands still until the second is decided, and fails for the second once.
  const blocker = new Client(arena.connection);
  await blocker.connect();
  await blocker.query('begin; lock table crowd_minutes in access exclusive mode');
  await arena.query(
    `alter table rounds add constraint broken check (id <> ${second.id} or counted_at is null) not valid`,
  );
  await worker.add();
  await until('what follows from the first is under way', async () => {
    const waits = await arena.query(`select from pg_locks where relation = 'crowd_minutes'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database())`);
    return waits.length > 0;
  });
  await arena.query('update rounds set try_after = null where id = $1', [second.id]);
  await worker.add();
  await until('the second is decided', async () => {
    const decided = await arena.query(`select from rounds where id = $1 and status = 'resolved'`, [second.id]);
    return decided.length > 0;
  });
  await blocker.query('commit');
  await blocker.end();
  await worker.settled();
  expect({ ...(await followed()), failures: reported.length }).toEqual({
    ...ALL,
    minutes: 10,
    tallied: 10,
    marked: 4,
    failures: 1,
  });
  await arena.query('alter table rounds drop constraint broken');
  await worker.add();
  await worker.settled();
  expect(await followed()).toEqual({ ...ALL, minutes: 11, tallied: 11, marked: 5 });
});

test('minutes counted without confidences get them from the predictions', async () => {
  const [{ id, choices } = { id: 0, choices: [] }] = rounds;
  const read = async () =>
    (await decidedMinutes(arena.newEm(), [id])).toSorted((one, other) => one.minute - other.minute);
  await arena.query(`update rounds set counted_at = now() where id = ${id}`);
  await arena.query(`insert into crowd_minutes (round_id, minute, prediction, n)
    select round_id, extract(minute from submitted_at), prediction, 1 from predictions where round_id = ${id}`);
  const [first, second] = choices;
  expect((await read()).map(({ answer, n, confidenceSum }) => [answer, n, confidenceSum])).toEqual([
    [first, 1, 80],
    [second, 1, 60],
    [first, 1, 30],
  ]);
});

const resolve = ({ id }: PlayedRound) => resolveRound(arena, id, { now: clock.now() });

function endVoid({ id, end }: PlayedRound) {
  const market = judging(arena.market, (verdict) => ({ ...verdict, problem: 'no_prices' }));
  return resolveRound({ ...arena, market }, id, { now: addHours(end, 24) });
}

/** A worker that has caught up and follows the log, and one that decides a round and dies. */
async function leaveUndone(decide: (late: PlayedRound) => Promise<unknown> = resolve) {
  await using opened = new AsyncDisposableStack();
  const bus = localBus();
  const follower = await openLogFollower({
    source: databaseLog(arena.newEm),
    bus,
    report: (error) => void reported.push(error),
  });
  opened.defer(() => follower.stop());
  const wakes: number[] = [];
  const worker = await startWorker({ onEvents: follower.onEvents, wakeIn: (ms) => void wakes.push(ms) });
  opened.defer(() => worker.close());
  await worker.settled();
  const late = await playRound(arena, addHours(EVENING, 3), [[1, 0, 80]]);
  clock.set(addHours(late.end, 1));
  const published = Promise.withResolvers<void>();
  const decisions = new Set(['ROUND_RESOLVED', 'ROUND_VOID', 'ROUND_AMENDED']);
  follower.onEvents((events) => events.some(({ kind }) => decisions.has(kind)) && published.resolve());
  await decide(late);
  bus.nudge();
  await published.promise;
  const running = opened.move();
  return { worker, wakes, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function follow(): Promise<void> {
  return afterResolution(arena, new Date(NEXT_DAY));
}

function last(): PlayedRound {
  const round = rounds.at(-1);
  if (round === undefined) throw new Error('Three rounds are decided');
  return round;
}

describe('follow-up work of an amendment', () => {
  test('a void round that is amended while follow-up work waits for it is tallied by the next run', async () => {
    const { id, choices } = last();
    await amendRound(arena, id, null);
    const { following } = await arena.newEm().transactional(async (amending) => {
      await lockUntilCommit(amending, 'counting');
      const running = follow();
      await untilItBlocks(amending);
      await amendRound({ newEm: () => amending }, id, choices[1] ?? null);
      return { following: running };
    });
    await following;
    await follow();
    expect(await followed()).toEqual(ALL);
  });

  test('boards in every order are made again', async () => {
    await follow();
    const made = `select count(*)::int as n, count(*) filter (where updated_at = (select boards_updated_at from platform))::int
      as new from ordered_boards`;
    const { n } = await only<{ n: number }>(arena, made);
    await amendRound(arena, last().id, last().choices[0] ?? null);
    expect(await only(arena, made)).toEqual({ n, new: 0 });
    await follow();
    expect(await only(arena, made)).toEqual({ n, new: n });
  });

  test('nothing of boards is left once no round has an outcome', async () => {
    await follow();
    const left = `select (select count(*)::int from ordered_boards) as boards,
      (select count(*)::int from recent_points) as agents, skilled is null as unknown from platform`;
    expect(await only(arena, left)).toEqual({ boards: expect.any(Number), agents: 3, unknown: false });
    for (const { id } of rounds) await amendRound(arena, id, null);
    await follow();
    expect(await only(arena, left)).toEqual({ boards: 0, agents: 0, unknown: true });
  });
});

describe('follow-up work of another process', () => {
  test.each([
    ['is left to it for 10 seconds', 9_999, ALL],
    ['is done by any process after 10 seconds', 10_000, { ...ALL, minutes: 10, tallied: 10, marked: 4 }],
  ])('follow-up work of another process %s', async (_, afterMs, found) => {
    await using left = await leaveUndone();
    expect(left.wakes.at(-1)).toBe(10_000);
    clock.set(new Date(clock.now().getTime() + afterMs));
    await left.worker.add();
    await left.worker.settled();
    expect({ ...(await followed()), reported }).toEqual({ ...found, reported: [] });
  });

  test.each([
    ['resolved', resolve],
    ['void', endVoid],
    ['amended', () => amendRound(arena, rounds[0]?.id ?? 0, null)],
  ])('a round that another process has %s has follow-up work', async (_, decide) => {
    await using left = await leaveUndone(decide);
    expect(left.wakes.at(-1)).toBe(10_000);
  });

  test('follow-up work of another process is searched for once', async () => {
    await using left = await leaveUndone();
    clock.set(new Date(clock.now().getTime() + 10_000));
    await left.worker.add();
    await left.worker.settled();
    expect((await followed())['marked']).toBe(4);
    await arena.query('update rounds set counted_at = null where counted_at is not null');
    await left.worker.add();
    await left.worker.settled();
    expect((await followed())['marked']).toBe(0);
  });
});
