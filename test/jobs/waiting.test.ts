import { describe, expect, test } from '@jest/globals';

import { nextTry, type RoundTries, stepOf, tryingSince } from '../../src/jobs/resolve/next-try.ts';
import { addHours, DAY, HOUR, MINUTE, SECOND } from '../../src/rules/hours.ts';

const END = new Date('2026-01-01T13:00:00Z');
const AGREED = { problem: null, late: [], answered: 3, needed: 2 } as const;
const NO_PRICES = { ...AGREED, problem: 'no_prices' } as const;

const after = (ms: number): Date => new Date(END.getTime() + ms);

/** A round that has been tried so often since then, the last time just before `now`. */
function tried(attempts: number, sinceMs: number, lastMs: number): RoundTries {
  return { endTime: END, attempts, tryingSince: after(sinceMs), lastTriedAt: after(lastMs) };
}

const UNTRIED: RoundTries = { endTime: END, attempts: 0, tryingSince: null, lastTriedAt: null };

describe('round with agreed candles', () => {
  test.each([
    ['at once when nobody is late', 0, [], 'decide'],
    ['not yet while a source is late', 0, ['kraken'], 'wait'],
    ['not before 45 s', 45 * SECOND - 1, ['kraken'], 'wait'],
    ['45 s after its hour without late sources', 45 * SECOND, ['kraken', 'binance'], 'decide'],
    ['a day later despite a late source', DAY, ['kraken'], 'decide'],
  ])('a round with agreed candles is decided %s', (_, ms, late, kind) => {
    expect(stepOf(UNTRIED, { ...AGREED, late }, after(ms)).kind).toBe(kind);
  });

  test('a round with agreed candles waits for late sources by name', () => {
    const step = stepOf(UNTRIED, { ...AGREED, late: ['coinbase', 'kraken'] }, END);
    expect(step).toMatchObject({ kind: 'wait', why: expect.stringContaining('waiting for coinbase, kraken') });
  });
});

describe('round without agreed candles', () => {
  const often = tried(9, DAY - HOUR, DAY - 10 * MINUTE);
  test.each([
    ['waits for a day', UNTRIED, NO_PRICES, DAY - 1, 'wait'],
    ['is void after a day when enough sources answered', UNTRIED, NO_PRICES, DAY, 'void'],
    [
      'is void after a day when sources disagree',
      UNTRIED,
      { ...NO_PRICES, problem: 'sources_disagree' } as const,
      DAY,
      'void',
    ],
    ['waits when too few answered', UNTRIED, { ...NO_PRICES, answered: 1 }, DAY, 'wait'],
    ['is void after ten tries over an hour, when one answered', often, { ...NO_PRICES, answered: 1 }, DAY, 'void'],
    ['waits after fewer tries', { ...often, attempts: 8 }, { ...NO_PRICES, answered: 1 }, DAY, 'wait'],
    [
      'waits after ten tries in less than an hour',
      tried(50, DAY - HOUR + 1, DAY - 10 * MINUTE),
      { ...NO_PRICES, answered: 1 },
      DAY,
      'wait',
    ],
    ['waits when the service was down meanwhile', tried(50, 0, DAY - HOUR), { ...NO_PRICES, answered: 1 }, DAY, 'wait'],
    ['waits indefinitely when no source answers', often, { ...NO_PRICES, answered: 0 }, 30 * DAY, 'wait'],
    ['is void when its only source answered', UNTRIED, { ...NO_PRICES, answered: 1, needed: 1 }, DAY, 'void'],
  ] as const)('a round without agreed candles %s', (_, round, verdict, ms, kind) => {
    expect(stepOf(round, verdict, after(ms)).kind).toBe(kind);
  });

  test.each([
    [{ ...NO_PRICES, answered: 0 }, 'No source of prices answered.'],
    [{ ...NO_PRICES, answered: 1 }, 'Only 1 source of prices answered, and 2 must agree.'],
    [NO_PRICES, 'Fewer than 2 sources have all final candles.'],
    [{ ...NO_PRICES, answered: 1, needed: 1 }, 'The source does not have all final candles.'],
    [{ ...NO_PRICES, problem: 'sources_disagree' }, 'The sources do not agree on the candles.'],
  ] as const)('the reason of %j is: %s', (verdict, why) => {
    expect(stepOf(UNTRIED, verdict, END)).toEqual({ kind: 'wait', why });
  });
});

describe('next attempt', () => {
  test.each([
    ['is 3 s later at first', UNTRIED, 500, 3_500],
    ['comes exactly 45 s after the hour', tried(14, 0, 40_000), 43_000, 45_000],
    ['stays 3 s later for a minute', tried(19, 0, 55_000), 59_000, 62_000],
    ['is later by a third of the elapsed time after a minute', tried(20, 0, 60_000), 90_000, 120_000],
    ['is at most ten minutes later', tried(40, 0, 3 * HOUR - MINUTE), 3 * HOUR, 3 * HOUR + 10 * MINUTE],
    ['comes exactly a day after the hour', tried(99, 0, DAY - 14 * MINUTE), DAY - 4 * MINUTE, DAY],
    ['continues after a day', tried(99, 0, DAY - 10 * MINUTE), DAY, DAY + 10 * MINUTE],
    ['is 3 s later again after a downtime', tried(99, 0, 2 * HOUR), 5 * HOUR, 5 * HOUR + 3 * SECOND],
  ])('the next attempt %s', (_, round, atMs, nextMs) => {
    expect(nextTry(round, after(atMs)).getTime() - END.getTime()).toBe(nextMs);
  });

  test('attempts in the first minute are at most 5 s apart', () => {
    let [round, now] = [UNTRIED, END.getTime()];
    const tries: number[] = [];
    while (now <= END.getTime() + MINUTE) {
      tries.push(now - END.getTime());
      const next = nextTry(round, new Date(now));
      round = {
        ...round,
        attempts: round.attempts + 1,
        tryingSince: tryingSince(round, new Date(now)),
        lastTriedAt: new Date(now),
      };
      now = next.getTime();
    }
    const apart = tries.slice(1).map((ms, place) => ms - (tries[place] ?? 0));
    expect(Math.max(...apart)).toBeLessThanOrEqual(5 * SECOND);
    expect(tries).toContain(45 * SECOND);
    expect(tries.at(-1)).toBeGreaterThan(MINUTE - 5 * SECOND);
  });

  test('the next attempt of an old round is 3 s later like that of a new one', () => {
    expect(nextTry(UNTRIED, addHours(END, 30))).toEqual(new Date(addHours(END, 30).getTime() + 3 * SECOND));
  });
});
