import { expect, test } from '@jest/globals';

import { QUESTION_TYPES, type QuestionType } from '../../../src/rules/questions/question.ts';
import { RECALIBRATIONS, recalibrated } from '../../../src/rules/reference/reference.ts';

const ALIKE: readonly QuestionType[] = [
  'relative',
  'best_performer',
  'worst_performer',
  'podium',
  'direction',
  'breadth',
];
const LEFT = [1, 0.75, 0.5, 0.25, 0] as const;

/** What is said of the likeliest of three answers that the model gives 0.7. */
function surest(type: 'direction' | 'podium', left: number): number {
  return Math.max(...recalibrated([0.1, 0.2, 0.7], RECALIBRATIONS[type], left));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

test.each(QUESTION_TYPES)(
  'recalibrated %s probabilities add up to 1, and impossible answers stay impossible',
  (type) => {
    for (const left of LEFT) {
      expect(sumOf(recalibrated([0.1, 0.2, 0.3, 0.4], RECALIBRATIONS[type], left))).toBeCloseTo(1, 14);
      expect(recalibrated([0, 0.4, 0.6], RECALIBRATIONS[type], left)[0]).toBe(0);
      expect(recalibrated([1, 0], RECALIBRATIONS[type], left)).toEqual([1, 0]);
    }
  },
);

test.each(QUESTION_TYPES)('recalibration of %s keeps the order of probabilities', (type) => {
  for (const left of LEFT) {
    const chances = Array.from({ length: 99 }, (_, place) => (place + 1) / 100);
    const after = chances.map((chance) => recalibrated([chance, 1 - chance], RECALIBRATIONS[type], left)[0] ?? 0);
    expect(after).toEqual(after.toSorted((one, other) => one - other));
    expect(new Set(after).size).toBe(99);
  }
});

test('recalibration favours no rise and no asset of several; other leans are below 5 points', () => {
  for (const type of QUESTION_TYPES) {
    const { lean } = RECALIBRATIONS[type];
    if (ALIKE.includes(type)) expect(lean).toEqual({ left: 0, over: 0 });
    for (const left of LEFT) {
      const [first = 0] = recalibrated([0.5, 0.5], RECALIBRATIONS[type], left);
      expect(Math.abs(first - 0.5)).toBeLessThan(0.05);
    }
  }
});

test('momentum, beat_market and volatility start below 49 %', () => {
  for (const type of ['momentum', 'beat_market', 'volatility'] as const) {
    const [first = 0] = recalibrated([0.5, 0.5], RECALIBRATIONS[type], 1);
    expect(first).toBeLessThan(0.49);
  }
});

test('recalibration reduces certainty early, most for eight assets, and increases it late', () => {
  expect(surest('podium', 1)).toBeLessThan(surest('direction', 1));
  expect(surest('direction', 1)).toBeLessThan(0.7);
  expect(surest('direction', 0)).toBeGreaterThan(0.7);
});
