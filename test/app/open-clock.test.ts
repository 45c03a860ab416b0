import { describe, expect, test } from '@jest/globals';

import { anchorClock } from '../../src/app/open-clock.ts';
import { clockFrom } from '../../src/clock.ts';
import { appendEvents } from '../../src/feed/event-log.ts';
import { Platform } from '../../src/entities/platform.ts';
import { openOrm } from '../../src/database/orm.ts';
import { createTestDatabase } from '../support/database.ts';
import { StartError } from '../../src/rules/errors.ts';

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

test('the first start writes the platform row at CLOCK_START', async () => {
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

test('the first start without CLOCK_START is at the real time', async () => {
  await using database = await unusedDatabase();
  expect((await database.start(undefined, 1, 0)).serviceAt).toEqual(new Date(REAL));
});

test('a restart continues with the elapsed time, and ignores another CLOCK_START', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 60, 0);
  await database.start(new Date('1999-01-01T00:00:00Z'), 60, 5_000);
  await database.start(undefined, 60, 7_000);
  expect(await database.timeSeen(60, 9_000, 10_000)).toEqual(afterStart(600_000));
});

test('a new speed applies from the restart, the old one until then', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 60, 0);
  expect(await database.timeSeen(2, 10_000, 10_000)).toEqual(afterStart(600_000));
  expect(await database.timeSeen(2, 13_000, 15_000)).toEqual(afterStart(610_000));
  expect(await database.timeSeen(0.5, 20_000, 24_000)).toEqual(afterStart(622_000));
  expect(await database.timeSeen(60, 24_000, 25_000)).toEqual(afterStart(682_000));
});

test('a restart never goes back before the anchor, also after the machine’s clock was set back', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 60, 0);
  expect(await database.timeSeen(60, -5_000, -5_000)).toEqual(afterStart(0));
  expect(await database.timeSeen(30, -5_000, -5_000)).toEqual(afterStart(0));
  expect(await database.timeSeen(30, -4_000, -3_000)).toEqual(afterStart(60_000));
});

test('a restart never goes back before the newest event, also after the machine’s clock was set back', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 60, 0);
  await database
    .newEm()
    .transactional((em) => appendEvents(em, afterStart(600_000), [{ kind: 'ROUND_STORED', roundId: 1, payload: {} }]));
  expect(await database.timeSeen(60, 1_000, 1_000)).toEqual(afterStart(600_000));
  expect(await database.timeSeen(60, 1_000, 2_000)).toEqual(afterStart(660_000));
});

test('a fractional speed is read back exactly', async () => {
  await using database = await unusedDatabase();
  await database.start(CLOCK_START, 1 / 3, 0);
  expect((await database.start(CLOCK_START, 1 / 3, 1_000)).realAt).toEqual(new Date(REAL));
  expect(await database.timeSeen(1 / 3, 2_000, 3_000)).toEqual(afterStart(1_000));
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A database that was made on real time at nine; `start` starts on it, and answers service time ahead of nine, then. */
async function onRealTime() {
  const database = await unusedDatabase();
  const start = async (afterMs: number) => {
    const real = new Date(REAL + afterMs);
    const anchor = await anchorClock(database.newEm(), { clockStart: undefined, clockSpeed: 1 }, real);
    const clock = clockFrom(anchor, { real: () => real, steadyMs: () => 0, sleptMs: () => 0 });
    return clock.now().getTime() - REAL;
  };
  await start(0);
  const happens = (afterMs: number) =>
    database
      .newEm()
      .transactional((em) =>
        appendEvents(em, new Date(REAL + afterMs), [{ kind: 'ROUND_STORED', roundId: 1, payload: {} }]),
      );
  const stored = () => database.newEm().findAll(Platform);
  return { ...database, start, happens, stored };
}

describe('database on real time', () => {
  test.each([
    ['30 h behind', 2 * HOUR, -28 * HOUR],
    ['six minutes behind', 2 * HOUR, 2 * HOUR - 6 * MINUTE],
  ])('a start %s is refused with both times, writes nothing, and the next is right', async (_name, at, wrong) => {
    await using database = await onRealTime();
    await database.happens(at);
    const before = await database.stored();
    const refusal = await database.start(wrong).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect(refusal).toHaveProperty(
      'message',
      `The machine's clock shows ${new Date(REAL + wrong).toISOString()}, which is more than 5 minutes behind the database's ` +
        `newest event of ${new Date(REAL + at).toISOString()}: set the clock right, or, if it is right, start again after ` +
        'that time.',
    );
    expect(await database.stored()).toEqual(before);
    expect(await database.start(at + MINUTE)).toBe(at + MINUTE);
    expect(await database.stored()).toEqual(before);
  });

  test.each([
    ['50 min', 50 * MINUTE],
    ['3 h', 3 * HOUR],
    ['25 h', 25 * HOUR],
    ['31 days', 31 * 24 * HOUR],
  ])('a start ahead by %s that wrote events does not shift the database’s time', async (_name, ahead) => {
    await using database = await onRealTime();
    const before = await database.stored();
    await database.start(30 * MINUTE + ahead);
    await database.happens(30 * MINUTE + ahead);
    await expect(database.start(31 * MINUTE)).rejects.toThrow(StartError);
    expect(await database.start(26 * MINUTE + ahead)).toBe(30 * MINUTE + ahead);
    expect(await database.start(35 * MINUTE + ahead)).toBe(35 * MINUTE + ahead);
    expect((await database.stored())[0]).toMatchObject({
      clockRealAt: before[0]?.clockRealAt,
      clockServiceAt: before[0]?.clockServiceAt,
      clockSpeed: 1,
    });
  });

  test('a start up to five minutes behind begins at the newest event', async () => {
    await using database = await onRealTime();
    await database.happens(HOUR);
    expect(await database.start(HOUR - 4 * MINUTE)).toBe(HOUR);
  });
});
