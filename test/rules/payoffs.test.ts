import { describe, expect, test } from '@jest/globals';

import { payoffsOf } from '../../src/rules/payoffs.ts';

describe.each([2, 4, 8])('payoffs with %i answers', (choiceCount) => {
  const payoffs = payoffsOf(choiceCount);

  test('payoffs have one row for each confidence and correctness', () => {
    expect(new Set(payoffs.map(({ confidence, correct }) => `${confidence} ${correct}`)).size).toBe(202);
    expect(payoffs).toHaveLength(202);
    expect(payoffs.every(({ confidence }) => confidence >= 0 && confidence <= 100)).toBe(true);
  });

  test('payoffs are exact decimals with Brier terms by definition', () => {
    for (const { confidence, correct, brier, referenceBrier } of payoffs) {
      expect(Number(brier)).toBeCloseTo((confidence / 100 - Number(correct)) ** 2, 12);
      expect(Number(referenceBrier)).toBeCloseTo((1 / choiceCount - Number(correct)) ** 2, 12);
      expect(brier).toMatch(/^[01](\.\d{1,4})?$/);
      expect(referenceBrier).toMatch(/^0\.\d{1,6}$/);
    }
  });
});

test('a row of payoffs has the score and P&L of the rules', () => {
  expect(payoffsOf(2)).toContainEqual({
    confidence: 80,
    correct: false,
    score: -40,
    pnlUsd: '-52.00',
    brier: '0.64',
    referenceBrier: '0.25',
  });
  expect(payoffsOf(8)).toContainEqual({
    confidence: 0,
    correct: true,
    score: 40,
    pnlUsd: '0.00',
    brier: '1',
    referenceBrier: '0.765625',
  });
});

test('payoffs of three answers are refused, since they have no exact decimals', () => {
  expect(() => payoffsOf(3)).toThrow('no finite decimal');
});
