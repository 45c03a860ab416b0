import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import jstat from 'jstat';

import { chanceOfMean, meanInterval, skillInterval, type Sums } from '../../../src/rules/statistics/means.ts';
import { seeded } from '../../support/seeded.ts';

function sumsOf(figures: readonly number[]): Sums {
  return {
    n: figures.length,
    sum: figures.reduce((sum, figure) => sum + figure, 0),
    squareSum: figures.reduce((sum, figure) => sum + figure * figure, 0),
  };
}

function alike(figure: number): Sums {
  return { n: 30, sum: 30 * figure, squareSum: 30 * figure * figure };
}

const figures = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 20, maxLength: 60 });

test('the interval of a mean equals the textbook’s', () => {
  fc.assert(
    fc.property(figures, (list) => {
      const n = list.length;
      const mean = list.reduce((sum, figure) => sum + figure, 0) / n;
      const deviation = Math.sqrt(list.reduce((sum, figure) => sum + (figure - mean) ** 2, 0) / (n - 1));
      const reach = (jstat.studentt.inv(0.975, n - 1) * deviation) / Math.sqrt(n);
      const interval = meanInterval(sumsOf(list));
      expect(interval?.n).toBe(n);
      expect(interval?.mean).toBeCloseTo(mean, 10);
      expect(interval?.low).toBeCloseTo(mean - reach, 5);
      expect(interval?.high).toBeCloseTo(mean + reach, 5);
    }),
  );
});

test('the interval covers the true mean in 95 % of samples', () => {
  const random = seeded(11);
  const covered = Array.from({ length: 2000 }, () => {
    const interval = meanInterval(sumsOf(Array.from({ length: 30 }, () => random.next() + random.next())));
    return interval !== null && interval.low <= 1 && interval.high >= 1;
  }).filter(Boolean).length;
  expect(covered / 2000).toBeGreaterThan(0.935);
  expect(covered / 2000).toBeLessThan(0.965);
});

test('the interval is null below 20 rounds', () => {
  const sums = sumsOf(Array.from({ length: 19 }, (_, index) => index));
  expect([meanInterval(sums), skillInterval(sums, 5), chanceOfMean(sums)]).toEqual([null, null, null]);
});

test('equal figures have an interval of width 0', () => {
  expect(meanInterval(alike(0.1))).toMatchObject({ low: expect.closeTo(0.1, 12), high: expect.closeTo(0.1, 12) });
  expect([0.1, 0, -0.1].map((figure) => chanceOfMean(alike(figure)))).toEqual([0, 0.5, 1]);
});

test('the chance of a mean is below 2.5 % exactly if the interval is above 0', () => {
  fc.assert(
    fc.property(figures, (list) => {
      const [interval, chance] = [meanInterval(sumsOf(list)), chanceOfMean(sumsOf(list))];
      if (interval === null || chance === null || Math.abs(interval.low) < 1e-5) return;
      expect(chance < 0.025).toBe(interval.low > 0);
    }),
  );
});

test('the interval of skill is that of the mean lead over the mean reference', () => {
  const differences = { n: 100, sum: 5, squareSum: 4 };
  const interval = meanInterval(differences);
  expect(skillInterval(differences, 25)).toEqual({
    low: (interval?.low ?? Number.NaN) / 0.25,
    high: (interval?.high ?? Number.NaN) / 0.25,
  });
  expect(skillInterval(differences, 0)).toBeNull();
});

test('the interval of skill ends at 1, the maximum of skill', () => {
  const { high, low } = skillInterval({ n: 20, sum: 4, squareSum: 2 }, 5) ?? {};
  expect(high).toBe(1);
  expect(low).toBeLessThan(0.8);
});
