import { describe, expect, test } from '@jest/globals';
import { ASSETS } from '../../../src/rules/assets.ts';
import { resolutionValue } from '../../../src/rules/questions/deciding.ts';

describe('the number of an answer', () => {
  test.each([
    [
      ['YES', 'NO'],
      [1, 0],
    ],
    [
      ['BTC', 'ETH'],
      [1, 0],
    ],
    [
      ['BTC', 'SOL', 'ADA', 'DOT'],
      [0, 1, 2, 3],
    ],
    [[...ASSETS], [0, 1, 2, 3, 4, 5, 6, 7]],
  ])('of %j is one of %j', (choices, values) => {
    expect(choices.map((answer) => resolutionValue({ choices }, answer))).toEqual(values);
  });

  test('there is none for what is no choice', () => {
    expect(() => resolutionValue({ choices: ['BTC', 'ETH'] }, 'SOL')).toThrow('"SOL" is none of ["BTC","ETH"]');
  });
});
