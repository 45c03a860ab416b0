import { expect, test } from '@jest/globals';
import {
  addHours,
  hourNumber,
  hourOf,
  instantOf,
  joinedSeconds,
  retryAfterMs,
  spacedSeconds,
} from '../../src/rules/hours.ts';

const late = new Date('2026-11-21T23:59:59.999Z');

test('an hour contains its start and not its end', () => {
  expect(hourOf(late)).toEqual(new Date('2026-11-21T23:00:00Z'));
  expect(hourOf(new Date('2026-11-22T00:00:00Z'))).toEqual(new Date('2026-11-22T00:00:00Z'));
});

test('addHours crosses the end of a day', () => {
  expect(addHours(hourOf(late), 1)).toEqual(new Date('2026-11-22T00:00:00Z'));
  expect(addHours(hourOf(late), -24)).toEqual(new Date('2026-11-20T23:00:00Z'));
});

test('hours are counted from 1970', () => {
  expect(hourNumber(new Date('1970-01-02T01:00:00Z'))).toBe(25);
});

test('times have the two forms of the specification, in UTC, without milliseconds', () => {
  expect(spacedSeconds(late)).toBe('2026-11-21 23:59:59');
  expect(joinedSeconds(late)).toBe('2026-11-21T23:59:59');
});

test('a day that does not exist has no instants', () => {
  const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  for (const [place, length] of lengths.entries()) {
    const month = `2026-${String(place + 1).padStart(2, '0')}`;
    for (let day = 0; day <= 32; day += 1) {
      const name = `${month}-${String(day).padStart(2, '0')}`;
      const instant = instantOf(`${name}T23:30:00Z`)?.toISOString() ?? null;
      expect({ name, instant }).toEqual({
        name,
        instant: day >= 1 && day <= length ? `${name}T23:30:00.000Z` : null,
      });
    }
  }
  expect(instantOf('2024-02-29T00:00:00+14:00')).toEqual(new Date('2024-02-28T10:00:00Z'));
  expect([instantOf('2100-02-29T00:00:00Z'), instantOf('2026-13-01T00:00Z'), instantOf('soon')]).toEqual([
    null,
    null,
    null,
  ]);
});

test.each([
  [undefined, null],
  ['120', 120_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['soon', null],
])('a Retry-After of %s gives %s ms', (header, ms) => {
  expect(retryAfterMs(header, new Date('2026-01-01T00:00:00Z'))).toBe(ms);
});
