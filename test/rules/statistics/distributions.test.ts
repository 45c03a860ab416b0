import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import jstat from 'jstat';

import { normalCdf, student975, studentCdf } from '../../../src/rules/statistics/special-functions.ts';

const z = fc.double({ min: -9, max: 9, noNaN: true });

test('the normal distribution equals that of jstat', () => {
  fc.assert(
    fc.property(z, (value) => {
      expect(Math.abs(normalCdf(value) - jstat.normal.cdf(value, 0, 1))).toBeLessThan(2e-14);
    }),
  );
  expect([normalCdf(0), normalCdf(-40), normalCdf(40), normalCdf(Infinity)]).toEqual([0.5, 0, 1, 1]);
  expect(() => normalCdf(Number.NaN)).toThrow('z must be a number (got NaN)');
});

test('the normal tails keep their digits', () => {
  // Abramowitz and Stegun, table 26.2.
  expect(normalCdf(-5) / 2.866515718791939e-7).toBeCloseTo(1, 11);
  expect(normalCdf(-10) / 7.61985302416053e-24).toBeCloseTo(1, 11);
});

test("Student's quantile equals that of jstat within a millionth", () => {
  for (const freedom of [19, 20, 25, 40, 100, 1000, 8760]) {
    expect(Math.abs(student975(freedom) - jstat.studentt.inv(0.975, freedom))).toBeLessThan(1e-6);
  }
  expect(() => student975(18)).toThrow('the degrees of freedom must be at least 19 (got 18)');
});

test("Student's distribution equals that of jstat", () => {
  fc.assert(
    fc.property(fc.double({ min: -12, max: 12, noNaN: true }), fc.integer({ min: 19, max: 5000 }), (t, freedom) => {
      expect(Math.abs(studentCdf(t, freedom) - jstat.studentt.cdf(t, freedom))).toBeLessThan(1e-6);
    }),
  );
});
