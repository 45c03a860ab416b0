import { expect, test } from '@jest/globals';
import { fraction } from '../../src/rules/fraction.ts';
import { brier, referenceBrier, skillTerm } from '../../src/rules/skill.ts';

test('the Brier term is the squared distance of confidence from what happened', () => {
  expect(brier(80, true)).toEqual(fraction(4, 100));
  expect(brier(80, false)).toEqual(fraction(64, 100));
  expect(brier(100, true)).toEqual(fraction(0));
});

test('the reference is a guess of 1 / k', () => {
  expect(referenceBrier(2, true)).toEqual(fraction(1, 4));
  expect(referenceBrier(8, true)).toEqual(fraction(49, 64));
  expect(referenceBrier(8, false)).toEqual(fraction(1, 64));
});

test('d is positive where the prediction beat the guess and 0 for the guess itself', () => {
  expect(skillTerm(80, 2, true)).toEqual(fraction(21, 100));
  expect(skillTerm(80, 2, false)).toEqual(fraction(-39, 100));
  expect(skillTerm(25, 4, false)).toEqual(fraction(0));
});
