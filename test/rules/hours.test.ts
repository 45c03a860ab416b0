import { expect, test } from '@jest/globals';
import { addHours, hourNumber, hourOf, joinedSeconds, spacedSeconds } from '../../src/rules/hours.ts';

const late = new Date('2026-11-21T23:59:59.999Z');

test('an hour contains its start and not its end', () => {
  expect(hourOf(late)).toEqual(new Date('2026-11-21T23:00:00Z'));
  expect(hourOf(new Date('2026-11-22T00:00:00Z'))).toEqual(new Date('2026-11-22T00:00:00Z'));
});

test('hours are added across a day', () => {
  expect(addHours(hourOf(late), 1)).toEqual(new Date('2026-11-22T00:00:00Z'));
  expect(addHours(hourOf(late), -24)).toEqual(new Date('2026-11-20T23:00:00Z'));
});

test('hours are counted from 1970', () => {
  expect(hourNumber(new Date('1970-01-02T01:00:00Z'))).toBe(25);
});

test('times have the two forms of the specification, in UTC, milliseconds cut off', () => {
  expect(spacedSeconds(late)).toBe('2026-11-21 23:59:59');
  expect(joinedSeconds(late)).toBe('2026-11-21T23:59:59');
});
