import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { afterResolution } from '../../src/jobs/after-resolution.ts';
import { resolveRound } from '../../src/jobs/resolution.ts';
import { openResolver, type Resolver } from '../../src/jobs/resolving.ts';
import { addHours } from '../../src/rules/hours.ts';
import { addAgents, type Arena, only, openArena } from '../support/arena.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { playRound, type PlayedRound } from './played-round.ts';

/** The last hours of a day that is also the last one of its month; the next day has begun. */
const EVENING = new Date('2026-01-31T21:00:00Z');
const NEXT_DAY = '2026-02-01T00:10:00Z';

let arena: Arena;
let rounds: readonly PlayedRound[];
let reported: unknown[];
let clock: ManualClock;

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, 3);
});

afterAll(() => arena.close());

/** Three rounds are decided, and the process has ended before anything followed from it. */
beforeEach(async () => {
  [reported, clock] = [[], manualClock(NEXT_DAY)];
  await arena.reset();
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
function startWorker(): Resolver {
  const worker = openResolver({
    newEm: arena.newEm,
    market: arena.market,
    clock,
    log: arena.log,
    announce: () => {},
    report: (error) => void reported.push(error),
    wakeIn: () => {},
  });
  worker.wake();
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

test('what a process that was killed after its decisions left undone is made up for at the next start', async () => {
  expect(await followed()).toEqual(NOTHING);
  await startWorker().settled();
  expect(await followed()).toEqual(ALL);
  await startWorker().settled();
  expect({ ...(await followed()), reported }).toEqual({ ...ALL, reported: [] });
});

test('two processes that start at once make up for it exactly once', async () => {
  await Promise.all([startWorker(), startWorker()].map((worker) => worker.settled()));
  expect({ ...(await followed()), reported }).toEqual({ ...ALL, reported: [] });
});

test('one that is killed between two rounds leaves whole ones, and the next goes on behind them', async () => {
  let asked = 0;
  await afterResolution({ newEm: arena.newEm, isStopped: () => ++asked > rounds.length - 1 }, new Date(NEXT_DAY));
  expect(await followed()).toEqual({ minutes: 6, tallied: 6, marked: 2, boards: 0 });
  await startWorker().settled();
  expect(await followed()).toEqual(ALL);
});

test('what failed is tried again by the same process, without waiting for another decision', async () => {
  const worker = startWorker();
  await worker.settled();
  const late = await playRound(arena, addHours(EVENING, 3), [[1, 0, 80]]);
  clock.set(addHours(late.end, 1));
  await arena.query(`alter table crowd_minutes add constraint broken check (round_id < ${late.id}) not valid`);
  worker.wake();
  await worker.settled();
  expect({ ...(await followed()), failures: reported.length }).toEqual({ ...ALL, failures: 1 });
  await arena.query('alter table crowd_minutes drop constraint broken');
  worker.wake();
  await worker.settled();
  expect(await followed()).toEqual({ ...ALL, minutes: 10, tallied: 10, marked: 4 });
});
