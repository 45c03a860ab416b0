import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { crowdFigures, crowdProbabilities, difficultyOf, type TallyRow } from '../../src/rules/crowd.ts';

const CHOICES = ['BTC', 'ETH', 'SOL', 'ADA'];

const tallies = fc.uniqueArray(
  fc.record({
    answer: fc.constantFrom(...CHOICES),
    confidence: fc.integer({ min: 0, max: 100 }),
    n: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 12, selector: ({ answer, confidence }) => `${answer} ${confidence}` },
);

/** The vectors of all predictions, one by one. */
function vectorsOf(tally: readonly TallyRow[]): (TallyRow & { readonly vector: number[] })[] {
  return tally.flatMap((row) => {
    const stated = Math.max(row.confidence / 100, 1 / CHOICES.length);
    const vector = CHOICES.map((one) => (one === row.answer ? stated : (1 - stated) / (CHOICES.length - 1)));
    return Array.from({ length: row.n }, () => ({ ...row, vector }));
  });
}

function meanVector(all: readonly { readonly vector: readonly number[] }[]): number[] {
  return CHOICES.map((_, index) => all.reduce((sum, { vector }) => sum + (vector[index] ?? 0), 0) / all.length);
}

function brier(vector: readonly number[], outcome: string): number {
  return vector.reduce((sum, value, index) => sum + (value - (CHOICES[index] === outcome ? 1 : 0)) ** 2, 0);
}

describe('the crowd', () => {
  test('is the mean of all vectors', () => {
    fc.assert(
      fc.property(tallies, (tally) => {
        const crowd = crowdProbabilities(CHOICES, tally) ?? [];
        meanVector(vectorsOf(tally)).forEach((value, index) => expect(crowd[index]).toBeCloseTo(value, 12));
      }),
    );
    expect(crowdProbabilities(CHOICES, [])).toBeNull();
  });

  test('says what each prediction added by leaving it out', () => {
    fc.assert(
      fc.property(tallies, fc.constantFrom(...CHOICES), (tally, outcome) => {
        const all = vectorsOf(tally);
        fc.pre(all.length > 1);
        for (const { answer, confidence, contribution, peerScore } of crowdFigures(CHOICES, tally, outcome)) {
          const left = all.findIndex((one) => one.answer === answer && one.confidence === confidence);
          const others = all.filter((_, index) => index !== left);
          expect(contribution).toBeCloseTo(brier(meanVector(others), outcome) - brier(meanVector(all), outcome), 10);
          const logs = all.map(({ vector }) =>
            Math.log(Math.min(0.99, Math.max(0.01, vector[CHOICES.indexOf(outcome)] ?? 0))),
          );
          const rest = logs.reduce((sum, value, index) => sum + (index === left ? 0 : value), 0) / others.length;
          expect(peerScore).toBeCloseTo(100 * ((logs[left] ?? 0) - rest), 8);
        }
      }),
    );
  });

  test('has the same figures to the last bit in whatever order its tally comes', () => {
    fc.assert(
      fc.property(tallies, (tally) => {
        expect(crowdFigures(CHOICES, tally.toReversed(), 'ETH')).toEqual(crowdFigures(CHOICES, tally, 'ETH'));
        expect(difficultyOf(tally.toReversed(), 'ETH')).toBe(difficultyOf(tally, 'ETH'));
      }),
    );
  });

  test('gives peer scores that add up to 0', () => {
    fc.assert(
      fc.property(tallies, (tally) => {
        const total = crowdFigures(CHOICES, tally, 'SOL').reduce((sum, { n, peerScore }) => sum + n * peerScore, 0);
        expect(total).toBeCloseTo(0, 8);
      }),
    );
  });

  test('judges nobody who was alone', () => {
    expect(crowdFigures(CHOICES, [{ answer: 'BTC', confidence: 90, n: 1 }], 'BTC')).toEqual([
      { answer: 'BTC', confidence: 90, n: 1, contribution: 0, peerScore: 0 },
    ]);
    expect(crowdFigures(CHOICES, [], 'BTC')).toEqual([]);
  });

  test('finds a round as hard as its Brier terms say', () => {
    const tally = [
      { answer: 'BTC', confidence: 80, n: 3 },
      { answer: 'ETH', confidence: 60, n: 1 },
    ];
    expect(difficultyOf(tally, 'BTC')).toBe((3 * 0.04 + 0.36) / 4);
    expect(difficultyOf([], 'BTC')).toBeNull();
  });

  test('refuses an outcome that is none of the choices', () => {
    expect(() => crowdFigures(CHOICES, [], 'DOGE')).toThrow('"DOGE" is none of ["BTC","ETH","SOL","ADA"]');
  });
});
