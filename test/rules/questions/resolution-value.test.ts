import { describe, expect, test } from '@jest/globals';
import { ASSETS } from '../../../src/rules/assets.ts';
import { resolutionValue } from '../../../src/rules/questions/deciding.ts';

describe('numbers of answers', () => {
  test.each([
    { choices: ['YES', 'NO'], values: [1, 0] },
    { choices: ['BTC', 'ETH'], values: [1, 0] },
    { choices: ['BTC', 'SOL', 'ADA', 'DOT'], values: [0, 1, 2, 3] },
    { choices: ASSETS, values: [0, 1, 2, 3, 4, 5, 6, 7] },
  ])('the numbers of the answers $choices are $values', ({ choices, values }) => {
    expect(choices.map((answer) => resolutionValue({ choices }, answer))).toEqual(values);
  });

  test('a text outside the choices has no number', () => {
    expect(() => resolutionValue({ choices: ['BTC', 'ETH'] }, 'SOL')).toThrow('"SOL" is none of ["BTC","ETH"]');
  });
});
