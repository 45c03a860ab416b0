import { describe, expect, test } from '@jest/globals';
import { array, assert, nat, property } from 'fast-check';

import { wholeShares } from '../../dashboard/shares.ts';

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

describe('counts as whole percent', () => {
  test.each([
    [
      [3, 5],
      [38, 62],
    ],
    [
      [5, 3],
      [63, 37],
    ],
    [
      [1, 1, 1],
      [34, 33, 33],
    ],
    [
      [4, 3],
      [57, 43],
    ],
    [
      [0, 7],
      [0, 100],
    ],
    [[0, 0], []],
  ])('%j are %j', (counts, shares) => {
    expect(wholeShares(counts)).toEqual(shares);
  });

  test('add up to 100, each less than one from what it is exactly, and nobody is nothing', () => {
    assert(
      property(array(nat(1e6), { minLength: 1, maxLength: 8 }), (counts) => {
        const all = sumOf(counts);
        const shares = wholeShares(counts);
        if (all === 0) return shares.length === 0;
        return (
          sumOf(shares) === 100 &&
          counts.every(
            (n, index) => Math.abs((shares[index] ?? NaN) - (n * 100) / all) < 1 && (n > 0 || shares[index] === 0),
          )
        );
      }),
    );
  });
});
