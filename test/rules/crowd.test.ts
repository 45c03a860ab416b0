import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { crowdFigures, crowdProbabilities, difficultyOf, type TallyRow } from '../../src/rules/crowd.ts';
import { crowdOf, figuresByDefinition } from '../oracle/crowd.ts';

const CHOICES = ['BTC', 'ETH', 'SOL', 'ADA'];

const tallies = fc.uniqueArray(
  fc.record({
    answer: fc.constantFrom(...CHOICES),
    confidence: fc.integer({ min: 0, max: 100 }),
    n: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 12, selector: ({ answer, confidence }) => `${answer} ${confidence}` },
);

/** The predictions that are counted there, one by one. */
function oneByOne(tally: readonly TallyRow[]) {
  return tally.flatMap(({ answer, confidence, n }) => Array.from({ length: n }, () => ({ pick: answer, confidence })));
}

describe('crowd', () => {
  test('the crowd is the mean of all vectors', () => {
    fc.assert(
      fc.property(tallies, (tally) => {
        const crowd = crowdProbabilities(CHOICES, tally) ?? [];
        crowdOf(CHOICES, oneByOne(tally)).forEach((value, index) => expect(crowd[index]).toBeCloseTo(value, 12));
      }),
    );
    expect(crowdProbabilities(CHOICES, [])).toBeNull();
  });

  test('the contribution of a prediction is measured by leaving it out', () => {
    fc.assert(
      fc.property(tallies, fc.constantFrom(...CHOICES), (tally, outcome) => {
        const all = oneByOne(tally);
        fc.pre(all.length > 1);
        const figures = figuresByDefinition(CHOICES, all, outcome);
        for (const { answer, confidence, contribution, peerScore } of crowdFigures(CHOICES, tally, outcome)) {
          const own = figures[all.findIndex((one) => one.pick === answer && one.confidence === confidence)];
          expect(contribution).toBeCloseTo(own?.contribution ?? Number.NaN, 10);
          expect(peerScore).toBeCloseTo(own?.peerScore ?? Number.NaN, 8);
        }
      }),
    );
  });

  test('the order of the tally does not change a bit of the figures', () => {
    fc.assert(
      fc.property(tallies, (tally) => {
        expect(crowdFigures(CHOICES, tally.toReversed(), 'ETH')).toEqual(crowdFigures(CHOICES, tally, 'ETH'));
        expect(difficultyOf(tally.toReversed(), 'ETH')).toBe(difficultyOf(tally, 'ETH'));
      }),
    );
  });

  test('peer scores add up to 0', () => {
    fc.assert(
      fc.property(tallies, (tally) => {
        const total = crowdFigures(CHOICES, tally, 'SOL').reduce((sum, { n, peerScore }) => sum + n * peerScore, 0);
        expect(total).toBeCloseTo(0, 8);
      }),
    );
  });

  test('a single prediction has no peer score', () => {
    expect(crowdFigures(CHOICES, [{ answer: 'BTC', confidence: 90, n: 1 }], 'BTC')).toEqual([
      { answer: 'BTC', confidence: 90, n: 1, contribution: 0, peerScore: 0 },
    ]);
    expect(crowdFigures(CHOICES, [], 'BTC')).toEqual([]);
  });

  test('the difficulty of a round is the mean of its Brier terms', () => {
    const tally = [
      { answer: 'BTC', confidence: 80, n: 3 },
      { answer: 'ETH', confidence: 60, n: 1 },
    ];
    expect(difficultyOf(tally, 'BTC')).toBe((3 * 0.04 + 0.36) / 4);
    expect(difficultyOf([], 'BTC')).toBeNull();
  });

  test('an outcome outside the choices is refused', () => {
    expect(() => crowdFigures(CHOICES, [], 'DOGE')).toThrow('"DOGE" is none of ["BTC","ETH","SOL","ADA"]');
  });
});
