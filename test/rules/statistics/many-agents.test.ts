import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { calibrationTest, sumsOf } from '../../../src/rules/calibration.ts';
import { mayBeNamed, namedAt, skilledAmong } from '../../../src/rules/statistics/means.ts';
import { seeded } from '../../support/seeded.ts';

test('the named agents are the largest k whose k-th chance is small enough', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (chances) => {
      const holds = (k: number): boolean => {
        const bound = (0.05 * k) / chances.length;
        return chances.filter((chance) => chance <= bound).length >= k;
      };
      const largest = chances.map((_, index) => index + 1).findLast(holds) ?? 0;
      expect(namedAt(chances, 0.05)).toBe(largest);
    }),
  );
});

test('chances of agents that cannot be named are not needed', () => {
  const chance = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.06, noNaN: true }));
  fc.assert(
    fc.property(fc.array(chance, { maxLength: 30 }), (chances) => {
      expect(skilledAmong(chances.filter(mayBeNamed), chances.length)).toEqual(skilledAmong(chances));
    }),
  );
});

test("Benjamini and Hochberg's own example names four", () => {
  const published = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  expect(skilledAmong(published)).toEqual({ tested: 15, looking: 5, expectedByChance: 0.375, named: 4 });
});

test('agents without skill look skilled at the rate of chance, and almost none is named', () => {
  const random = seeded(5);
  const { looking, expectedByChance, named } = skilledAmong(Array.from({ length: 4000 }, () => random.next()));
  expect(expectedByChance).toBe(100);
  expect(Math.abs(looking - expectedByChance)).toBeLessThan(30);
  expect(named).toBeLessThan(3);
});

test('no tested agents give no named ones', () => {
  expect(skilledAmong([])).toEqual({ tested: 0, looking: 0, expectedByChance: 0, named: 0 });
});

test("Spiegelhalter's Z follows its definition, and is positive for overconfidence", () => {
  const counts = [
    { confidence: 90, correct: true, n: 14 },
    { confidence: 90, correct: false, n: 6 },
    { confidence: 60, correct: true, n: 10 },
  ];
  const each = counts.flatMap(({ n, confidence, correct }) =>
    Array.from({ length: n }, () => ({ c: confidence / 100, o: correct ? 1 : 0 })),
  );
  const top = each.reduce((sum, { c, o }) => sum + (o - c) * (1 - 2 * c), 0);
  const bottom = Math.sqrt(each.reduce((sum, { c }) => sum + (1 - 2 * c) ** 2 * c * (1 - c), 0));
  expect(calibrationTest(sumsOf(counts))?.z).toBeCloseTo(top / bottom, 12);
  expect(calibrationTest(sumsOf(counts))?.z).toBeGreaterThan(0);
});

test('the calibration test rejects few honest agents at 5 %', () => {
  const random = seeded(9);
  const found = Array.from({ length: 1000 }, () => {
    const counts = Array.from({ length: 60 }, () => {
      const confidence = random.between(5, 95);
      return { confidence, correct: random.chance(confidence / 100), n: 1 };
    });
    return (calibrationTest(sumsOf(counts))?.p ?? Number.NaN) < 0.05;
  }).filter(Boolean).length;
  expect(found).toBeGreaterThan(25);
  expect(found).toBeLessThan(75);
});

test('the calibration test is null with too few or only even predictions', () => {
  expect(calibrationTest(sumsOf([{ confidence: 80, correct: true, n: 19 }]))).toBeNull();
  expect(calibrationTest(sumsOf([{ confidence: 50, correct: true, n: 100 }]))).toBeNull();
});
