import { expect, test } from '@jest/globals';
import { streakAfter, streakBonus } from '../../src/rules/streaks.ts';

test('a win lengthens the streak by one, a loss ends it', () => {
  expect(streakAfter(0, true)).toBe(1);
  expect(streakAfter(19, true)).toBe(20);
  expect(streakAfter(19, false)).toBe(0);
});

// Spec 3.3: 3 or more = 5; 5 or more = 10; 10 or more = 15; 20 or more = 25. The highest step alone.
test.each([
  [0, 0],
  [1, 0],
  [2, 0],
  [3, 5],
  [4, 5],
  [5, 10],
  [9, 10],
  [10, 15],
  [19, 15],
  [20, 25],
  [1000, 25],
])('the win that makes a streak of %i brings %i', (streak, bonus) => {
  expect(streakBonus(streak)).toBe(bonus);
});
