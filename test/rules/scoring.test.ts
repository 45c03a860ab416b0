import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { add, compare, fraction, multiply } from '../../src/rules/fraction.ts';
import { scoreOf, streakBonus, exactPnl, pnlUsd } from '../../src/rules/scoring.ts';

// Spec 3.3, plus the consistency bonus of 10.
test.each([
  [85, 110, -40],
  [100, 110, -40],
  [80, 110, -40],
  [79, 70, -20],
  [50, 70, -20],
  [49, 40, 0],
  [0, 40, 0],
])('a confidence of %i scores %i if correct and %i if wrong', (confidence, correct, wrong) => {
  expect(scoreOf(confidence, true)).toBe(correct);
  expect(scoreOf(confidence, false)).toBe(wrong);
});

test('a confidence below every band has no score', () => {
  expect(() => scoreOf(-1, true)).toThrow(RangeError);
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
])('the win that completes a streak of %i earns %i', (streak, bonus) => {
  expect(streakBonus(streak)).toBe(bonus);
});

const choiceCounts = fc.constantFrom(2, 3, 4, 8);

describe('sim P&L', () => {
  test.each([
    [50, 2, '0.00', '0.00'],
    [80, 2, '28.00', '-52.00'],
    [100, 2, '33.33', '-100.00'],
    [0, 2, '0.00', '0.00'],
    [100, 4, '60.00', '-100.00'],
    [25, 4, '0.00', '0.00'],
    [100, 8, '77.78', '-100.00'],
    [12, 8, '0.00', '0.00'],
  ])('a confidence of %i among %i answers earns %s or %s USD', (confidence, choiceCount, correct, wrong) => {
    expect(pnlUsd(confidence, choiceCount, true)).toBe(correct);
    expect(pnlUsd(confidence, choiceCount, false)).toBe(wrong);
  });

  test('sim P&L never loses more than 100 USD', () => {
    fc.assert(
      fc.property(choiceCounts, fc.nat(100), fc.boolean(), (choiceCount, confidence, correct) => {
        expect(compare(exactPnl(confidence, choiceCount, correct), fraction(-100))).not.toBe(-1);
      }),
    );
  });

  test('the confidence nearest to the true probability has the highest expected P&L', () => {
    fc.assert(
      fc.property(choiceCounts, fc.nat(10_000), (choiceCount, share) => {
        fc.pre(share * choiceCount >= 10_000);
        const expected = (confidence: number) =>
          add(
            multiply(fraction(share, 10_000), exactPnl(confidence, choiceCount, true)),
            multiply(fraction(10_000 - share, 10_000), exactPnl(confidence, choiceCount, false)),
          );
        const lowest = Math.ceil(100 / choiceCount);
        const confidences = Array.from({ length: 101 - lowest }, (_, i) => lowest + i);
        const nearest = confidences.reduce((best, confidence) =>
          Math.abs(100 * confidence - share) < Math.abs(100 * best - share) ? confidence : best,
        );
        for (const confidence of confidences) {
          if (Math.abs(100 * confidence - share) === Math.abs(100 * nearest - share)) continue;
          expect(compare(expected(nearest), expected(confidence))).toBe(1);
        }
      }),
    );
  });
});
