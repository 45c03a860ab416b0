import { describe, expect, test } from '@jest/globals';
import { inWindow, windowStart, type Period } from '../../src/rules/windows.ts';

const newest = new Date('2026-11-21T12:00:00Z');
const ago = (days: number, milliseconds = 0) => new Date(newest.getTime() - days * 86_400_000 + milliseconds);

describe.each<[Period, number]>([
  ['daily', 1],
  ['weekly', 7],
  ['monthly', 30],
])('%s window', (period, days) => {
  test(`the window starts ${days} days before the newest end`, () => {
    expect(windowStart(period, newest)).toEqual(ago(days));
  });

  test('the window excludes its start', () => {
    expect(inWindow(period, newest, ago(days))).toBe(false);
    expect(inWindow(period, newest, ago(days, 1))).toBe(true);
  });

  test('the window includes the newest round and nothing newer', () => {
    expect(inWindow(period, newest, newest)).toBe(true);
    expect(inWindow(period, newest, ago(0, 1))).toBe(false);
  });
});

test('the window of all time has no start and includes the first round', () => {
  expect(windowStart('alltime', newest)).toBeNull();
  expect(inWindow('alltime', newest, new Date(0))).toBe(true);
});
