import { expect, test } from '@jest/globals';
import { scoreOf } from '../../src/rules/scoring.ts';

// Spec 3.3, plus the consistency bonus of 10.
test.each([
  [85, 110, -40],
  [100, 110, -40],
  [80, 110, -40],
  [79, 70, -20],
  [50, 70, -20],
  [49, 40, 0],
  [0, 40, 0],
])('at confidence %i a correct prediction scores %i and a wrong one %i', (confidence, correct, wrong) => {
  expect(scoreOf(confidence, true)).toBe(correct);
  expect(scoreOf(confidence, false)).toBe(wrong);
});

test('a confidence below every band has no score', () => {
  expect(() => scoreOf(-1, true)).toThrow(RangeError);
});
