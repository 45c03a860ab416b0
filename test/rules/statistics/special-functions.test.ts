import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { exp, ln } from '../../../src/rules/statistics/special-functions.ts';

const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });

test('ln is the natural logarithm, also exact near 1', () => {
  fc.assert(
    fc.property(fc.oneof(positive, fc.double({ min: 0.9, max: 1.1, noNaN: true })), (value) => {
      const expected = Math.log(value);
      expect(Math.abs(ln(value) - expected)).toBeLessThanOrEqual(2 * Number.EPSILON * Math.abs(expected));
    }),
  );
  expect(ln(1)).toBe(0);
});

test('exp is the exponential function', () => {
  fc.assert(
    fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (value) => {
      expect(Math.abs(exp(value) / Math.exp(value) - 1)).toBeLessThan(1e-14);
    }),
  );
  expect([exp(0), exp(-1000), exp(1000)]).toEqual([1, 0, Infinity]);
});

test.each([0, -1, Number.NaN, Infinity])('ln of %p is refused', (value) => {
  expect(() => ln(value)).toThrow(`ln needs a finite number above 0 (got ${value})`);
});

test('the bits are the recorded ones on every machine', () => {
  const values = [0.1, 1.0001, 3, 61.7, 12345.678];
  expect(values.map(ln)).toEqual([
    -2.3025850929940455, 0.00009999500033329732, 1.0986122886681098, 4.122283930911342, 9.421061321291832,
  ]);
  expect(values.map((value) => exp(-value / 100))).toEqual([
    0.999000499833375, 0.9900488436998294, 0.9704455335485082, 0.5395606940799943, 2.4176960027281036e-54,
  ]);
});
