import { expect, test } from '@jest/globals';

import { anchorClock } from '../src/clock-anchor.ts';
import { clockFrom } from '../src/clock.ts';
import { appendEvents } from '../src/feed/event-log.ts';
import { Platform } from '../src/entities/platform.ts';
import { openOrm } from '../src/entities/orm.ts';
import { createTestDatabase } from './support/database.ts';

const REAL = Date.parse('2026-11-21T09:00:00.250Z');
const CLOCK_START = new Date('2023-03-04T05:30:00Z');

/** A database that no service ever started on. `start` starts one there, `afterMs` after nine o'clock. */
async function unusedDatabase() {
  const stack = new AsyncDisposableStack();
  const { connection, drop } = await createTestDatabase();
  stack.defer(drop);
  const orm = await openOrm(connection, 2);
  stack.defer(() => orm.close(true));
  return {
    newEm: () => orm.em.fork(),
    start: (clockStart: Date | undefined, clockSpeed: number, afterMs: number) =>
      anchorClock(orm.em.fork(), { clockStart, clockSpeed }, new Date(REAL + afterMs)),
    /** The service's time in a process that started `startedMs` after nine, seen `seenMs` after nine. */
    async timeSeen(clockSpeed: number, startedMs: number, seenMs: number) {
      const anchor = await anchorClock(
        orm.em.fork(),
        { clockStart: CLOCK_START, clockSpeed },
        new Date(REAL + startedMs),
      );
      return clockFrom(anchor, { real: () => new Date(REAL + seenMs), steadyMs: () => 0 }).now();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function afterStart(ms: number): Date {
  return new Date(CLOCK_START.getTime() + ms);
}

test('the first start writes the platform row, at CLOCK_START', async () => {
  await using database = await unusedDatabase();
  expect(await database.start(CLOCK_START, 60, 0)).toEqual({
    realAt: new Date(REAL),
    serviceAt: CLOCK_START,
    speed: 60,
  });
  expect(await database.newEm().findAll(Platform)).toEqual([
    expect.objectContaining({
      id: 1,
      createdAt: CLOCK_START,
      clockRealAt: new Date(REAL),
      clockServiceAt: CLOCK_START,
      clockSpeed: 60,
      newestResolvedEnd: null,
      boardsUpdatedAt: CLOCK_START,
      resolvedRounds: 0,
      decidedPredictions: 0,
      decidedConfidenceSum: 0,
      lastSeq: 0,
    }),
  ]);
});

test('without CLOCK_START the first start is at the real time', async () => {
  await using database = await unusedDatabase();
  expect((await database.start(undefined, 1, 0)).serviceAt).toEqual(new Date(REAL));
});

test('a restart goes on from there, time having run on meanwhile, and another CLOCK_START moves nothing', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 60, 0);
  await database.start(new Date('1999-01-01T00:00:00Z'), 60, 5_000);
  await database.start(undefined, 60, 7_000);
  expect(await database.timeSeen(60, 9_000, 10_000)).toEqual(afterStart(600_000));
});

test('a new speed holds from the restart, the old one until then', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 60, 0);
  expect(await database.timeSeen(2, 10_000, 10_000)).toEqual(afterStart(600_000));
  expect(await database.timeSeen(2, 13_000, 15_000)).toEqual(afterStart(610_000));
  expect(await database.timeSeen(0.5, 20_000, 24_000)).toEqual(afterStart(622_000));
  expect(await database.timeSeen(60, 24_000, 25_000)).toEqual(afterStart(682_000));
});

test('a restart never goes back before the anchor, also when the machine clock was set back', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 60, 0);
  expect(await database.timeSeen(60, -5_000, -5_000)).toEqual(afterStart(0));
  expect(await database.timeSeen(30, -5_000, -5_000)).toEqual(afterStart(0));
  expect(await database.timeSeen(30, -4_000, -3_000)).toEqual(afterStart(60_000));
});

test('a restart never goes back before the newest event, when the machine clock was set back while it was down', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 60, 0);
  await database
    .newEm()
    .transactional((em) => appendEvents(em, afterStart(600_000), [{ kind: 'ROUND_STORED', roundId: 1, payload: {} }]));
  expect(await database.timeSeen(60, 1_000, 1_000)).toEqual(afterStart(600_000));
  expect(await database.timeSeen(60, 1_000, 2_000)).toEqual(afterStart(660_000));
});

test('a speed with a fraction comes back from the database as it was', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 1 / 3, 0);
  expect((await database.start(CLOCK_START, 1 / 3, 1_000)).realAt).toEqual(new Date(REAL));
  expect(await database.timeSeen(1 / 3, 2_000, 3_000)).toEqual(afterStart(1_000));
});
