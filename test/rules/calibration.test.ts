import { expect, test, describe } from '@jest/globals';
import * as fc from 'fast-check';

import { brierFigures, calibrationOf, type ScoredCount, wilson95 } from '../../src/rules/calibration.ts';
import { brierTerm, referenceBrierTerm } from '../../src/rules/brier.ts';
import { fraction, subtract } from '../../src/rules/fraction.ts';

test('the Brier term is the squared distance between confidence and outcome', () => {
  expect(brierTerm(80, true)).toEqual(fraction(4, 100));
  expect(brierTerm(80, false)).toEqual(fraction(64, 100));
  expect(brierTerm(100, true)).toEqual(fraction(0));
});

test('the reference is a guess of 1 / k', () => {
  expect(referenceBrierTerm(2, true)).toEqual(fraction(1, 4));
  expect(referenceBrierTerm(8, true)).toEqual(fraction(49, 64));
  expect(referenceBrierTerm(8, false)).toEqual(fraction(1, 64));
});

test('d is positive for a prediction better than the guess, and 0 for the guess', () => {
  expect(subtract(referenceBrierTerm(2, true), brierTerm(80, true))).toEqual(fraction(21, 100));
  expect(subtract(referenceBrierTerm(2, false), brierTerm(80, false))).toEqual(fraction(-39, 100));
  expect(subtract(referenceBrierTerm(4, false), brierTerm(25, false))).toEqual(fraction(0));
});

const scored = (confidence: number, correct: boolean, choiceCount = 2): ScoredCount => ({
  confidence,
  correct,
  choiceCount,
  n: 1,
});

describe('calibration', () => {
  test('an empty calibration has no figures and ten empty bins', () => {
    const none = calibrationOf([]);
    expect(none).toMatchObject({ n: 0, brier: null, referenceBrier: null, skill: null, logLoss: null });
    expect(none.expectedCalibrationError).toBeNull();
    expect(none.bins.map(({ from, to }) => [from, to])).toEqual([
      [0, 9],
      [10, 19],
      [20, 29],
      [30, 39],
      [40, 49],
      [50, 59],
      [60, 69],
      [70, 79],
      [80, 89],
      [90, 100],
    ]);
    expect(none.bins[0]).toEqual({ from: 0, to: 9, n: 0, meanConfidence: null, hitRate: null, hitRateInterval: null });
  });

  test('the figures are the means of their definitions', () => {
    const { n, brier, referenceBrier, logLoss, expectedCalibrationError } = calibrationOf([
      scored(80, true),
      scored(60, false),
      scored(85, true, 8),
      scored(80, false, 4),
    ]);
    expect(n).toBe(4);
    expect(brier).toBeCloseTo((0.04 + 0.36 + 0.0225 + 0.64) / 4, 12);
    expect(referenceBrier).toBeCloseTo((0.25 + 0.25 + 0.765625 + 0.0625) / 4, 12);
    expect(logLoss).toBeCloseTo(-(Math.log(0.8) + Math.log(0.4) + Math.log(0.85) + Math.log(0.2)) / 4, 12);
    // 80-89 holds three with mean 245/300 and hit rate 2/3; 60-69 one with 0.6 and 0.
    expect(expectedCalibrationError).toBeCloseTo((3 * Math.abs(2 / 3 - 245 / 300) + 0.6) / 4, 12);
  });

  test('a certain prediction that failed has a finite log loss', () => {
    expect(calibrationOf([scored(100, false)]).logLoss).toBeCloseTo(-Math.log(0.01), 12);
    expect(calibrationOf([scored(0, true)]).logLoss).toBeCloseTo(-Math.log(0.01), 12);
    expect(calibrationOf([scored(100, true)]).logLoss).toBeCloseTo(-Math.log(0.99), 12);
  });

  test('skill is null below 20 rounds', () => {
    const right = Array.from({ length: 20 }, () => scored(90, true));
    expect(calibrationOf(right.slice(1)).skill).toBeNull();
    expect(calibrationOf(right).skill).toBeCloseTo(1 - 0.01 / 0.25, 12);
  });

  test('confidences 89 and 90 are in different bins, 90 and 100 in one', () => {
    const { bins } = calibrationOf([scored(89, true), scored(90, false), scored(100, true)]);
    expect(bins[8]).toMatchObject({ n: 1, meanConfidence: 0.89, hitRate: 1 });
    expect(bins[9]).toMatchObject({ n: 2, meanConfidence: 0.95, hitRate: 0.5 });
    expect(bins[9]?.hitRateInterval?.low).toBeCloseTo(0.0945, 4);
  });

  test('every prediction is in exactly one bin', () => {
    const prediction = fc.record({
      confidence: fc.nat(100),
      correct: fc.boolean(),
      choiceCount: fc.constantFrom(2, 4, 8),
      n: fc.constant(1),
    });
    fc.assert(
      fc.property(fc.array(prediction), (predictions) => {
        const { bins } = calibrationOf(predictions);
        expect(bins.reduce((total, { n }) => total + n, 0)).toBe(predictions.length);
      }),
    );
  });

  test('counts give the same figures as single predictions, in any order, to the last digit', () => {
    const counts = fc.array(
      fc.record({
        confidence: fc.nat(100),
        correct: fc.boolean(),
        choiceCount: fc.constantFrom(2, 4, 8),
        n: fc.nat(30),
      }),
    );
    const shuffled = counts.chain((kinds) => {
      const oneByOne = kinds.flatMap((kind) => Array.from({ length: kind.n }, () => ({ ...kind, n: 1 })));
      const all = { minLength: oneByOne.length, maxLength: oneByOne.length };
      return fc.tuple(fc.constant(kinds), fc.shuffledSubarray(oneByOne, all));
    });
    fc.assert(
      fc.property(shuffled, ([counted, oneByOne]) => {
        expect(calibrationOf(counted)).toEqual(calibrationOf(oneByOne));
      }),
    );
  });
});

test('the figures equal those of the exact sums in standings, to the last digit', () => {
  const counts = Array.from({ length: 101 }, (_, confidence) =>
    [2, 4, 8].map((choiceCount) => ({
      confidence,
      choiceCount,
      correct: (confidence * choiceCount) % 3 === 0,
      n: 1 + (confidence % 7),
    })),
  ).flat();
  const n = counts.reduce((total, one) => total + one.n, 0);
  // Ten-thousandths and 64ths: whole numbers, so that nothing is rounded before the end.
  const tenThousandths = counts.reduce((sum, one) => sum + one.n * (one.confidence - (one.correct ? 100 : 0)) ** 2, 0);
  const parts = counts.reduce((sum, one) => sum + one.n * (8 / one.choiceCount - (one.correct ? 8 : 0)) ** 2, 0);
  const stored = brierFigures(n, Number(`${tenThousandths}e-4`), Number((parts / 64).toFixed(6)));
  expect(calibrationOf(counts)).toMatchObject(stored);
  expect(stored.skill).not.toBeNull();
});

// Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the interval of %i hits in %i is the published one', (hits, n, low, high) => {
  const interval = wilson95(hits, n);
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
});

test('the interval of no predictions is null', () => {
  expect(wilson95(0, 0)).toBeNull();
});

test('the interval contains the hit rate and stays within 0 and 1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
      const hits = Math.round(share * n);
      const { low, high } = wilson95(hits, n) ?? { low: NaN, high: NaN };
      expect(0 <= low && low <= hits / n && hits / n <= high && high <= 1).toBe(true);
      expect(high).toBeGreaterThan(low);
    }),
  );
});
