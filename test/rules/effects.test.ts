import { describe, expect, test } from '@jest/globals';
import { effectsOf } from '../../src/rules/effects.ts';

describe.each([2, 4, 8])('the effects with %i answers', (choiceCount) => {
  const effects = effectsOf(choiceCount);

  test('have one row for each confidence and correctness', () => {
    expect(new Set(effects.map(({ confidence, correct }) => `${confidence} ${correct}`)).size).toBe(202);
    expect(effects).toHaveLength(202);
    expect(effects.every(({ confidence }) => confidence >= 0 && confidence <= 100)).toBe(true);
  });

  test('are exact decimals: their Brier terms are those of the definition', () => {
    for (const { confidence, correct, brier, referenceBrier } of effects) {
      expect(Number(brier)).toBeCloseTo((confidence / 100 - Number(correct)) ** 2, 12);
      expect(Number(referenceBrier)).toBeCloseTo((1 / choiceCount - Number(correct)) ** 2, 12);
      expect(brier).toMatch(/^[01](\.\d{1,4})?$/);
      expect(referenceBrier).toMatch(/^0\.\d{1,6}$/);
    }
  });
});

test('a row is what the rules say', () => {
  expect(effectsOf(2)).toContainEqual({
    confidence: 80,
    correct: false,
    score: -40,
    pnlUsd: '-52.00',
    brier: '0.64',
    referenceBrier: '0.25',
  });
  expect(effectsOf(8)).toContainEqual({
    confidence: 0,
    correct: true,
    score: 40,
    pnlUsd: '0.00',
    brier: '1',
    referenceBrier: '0.765625',
  });
});

test('three answers have no exact decimals and are refused', () => {
  expect(() => effectsOf(3)).toThrow('no finite decimal');
});
