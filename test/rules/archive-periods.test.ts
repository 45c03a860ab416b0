import { describe, expect, test } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';

import { ARCHIVE_KINDS, periodNamed, periodOf } from '../../src/rules/windows.ts';

const shown = (name: string) => {
  const period = periodNamed(name);
  return period && [period.kind, period.start.toISOString(), period.end.toISOString()];
};

describe('period by its name', () => {
  test.each([
    ['2026-11-20', 'day', '2026-11-20', '2026-11-21'],
    ['2026-12-31', 'day', '2026-12-31', '2027-01-01'],
    ['2024-02-29', 'day', '2024-02-29', '2024-03-01'],
    // The night on which clocks go forward in Europe: a day of UTC has 24 hours all the same.
    ['2026-03-29', 'day', '2026-03-29', '2026-03-30'],
    ['2026-11', 'month', '2026-11-01', '2026-12-01'],
    ['2026-12', 'month', '2026-12-01', '2027-01-01'],
    ['2026-W47', 'week', '2026-11-16', '2026-11-23'],
    // 1 January 2026 is a Thursday: the year has 53 weeks, and the first begins in the year before.
    ['2026-W01', 'week', '2025-12-29', '2026-01-05'],
    ['2026-W53', 'week', '2026-12-28', '2027-01-04'],
    ['2027-W01', 'week', '2027-01-04', '2027-01-11'],
  ])('%s is the %s from %s to %s', (name, kind, start, end) => {
    expect(shown(name)).toEqual([kind, `${start}T00:00:00.000Z`, `${end}T00:00:00.000Z`]);
  });

  test.each([
    '2027-W53',
    '2026-W00',
    '2026-W54',
    '2026-02-29',
    '2026-13',
    '2026-00',
    '2026-11-31',
    '2026',
    '2026-w47',
    '',
  ])('%s is no period', (name) => expect(periodNamed(name)).toBeNull());
});

describe('periods of an instant', () => {
  test('a period includes its first instant and excludes the next one’s', () => {
    const midnight = new Date('2027-01-01T00:00:00Z');
    const before = new Date(midnight.getTime() - 1);
    expect(ARCHIVE_KINDS.map((kind) => periodOf(kind, midnight).name)).toEqual(['2027-01-01', '2026-W53', '2027-01']);
    expect(ARCHIVE_KINDS.map((kind) => periodOf(kind, before).name)).toEqual(['2026-12-31', '2026-W53', '2026-12']);
  });

  test('each period over 60 years is found by its name', () => {
    const wrong: string[] = [];
    for (let day = Date.UTC(2000, 0, 1); day < Date.UTC(2060, 0, 1); day += 86_400_000) {
      for (const kind of ARCHIVE_KINDS) {
        const period = periodOf(kind, new Date(day));
        const isFound = isDeepStrictEqual(periodNamed(period.name), period);
        const isAround = period.start.getTime() <= day && day < period.end.getTime();
        if (!isFound || !isAround) wrong.push(`${period.name} of ${new Date(day).toISOString()}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
