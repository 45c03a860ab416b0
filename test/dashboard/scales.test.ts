import { describe, expect, test } from '@jest/globals';
import { array, assert, double, property } from 'fast-check';

import { pathThrough, rangeOf, scale, spread, ticks } from '../../dashboard/charts/scales.ts';
import { change, percent, price, remaining, signed, signedUsd } from '../../dashboard/figures.ts';
import { retryMs } from '../../dashboard/socket.ts';

describe('axes', () => {
  test.each([
    [[0, 1], 4, [0, 0.25, 0.5, 0.75, 1]],
    [[-0.12, 0.31], 4, [-0.1, 0, 0.1, 0.2, 0.3]],
    [[-1300, 250], 3, [-1000, -500, 0]],
  ] as const)('an axis over %j has round marks', (range, count, marks) => {
    const found = ticks(range, count);
    expect(found).toEqual(marks);
  });

  test('an axis maps its ends onto the plane’s, and a single value onto the middle', () => {
    const y = scale([0, 100], [200, 0]);
    expect([y(0), y(50), y(100)]).toEqual([200, 100, 0]);
    expect(scale([5, 5], [0, 10])(5)).toBe(5);
  });

  test('an axis includes every value with a margin', () => {
    expect(rangeOf([1, 3], [0])).toEqual([-0.25, 3.25]);
    expect(rangeOf([], [0])).toEqual([-1 / 12, 1 / 12]);
  });
});

test('labels do not overlap, stay within the plane and keep their order', () => {
  assert(
    property(array(double({ min: 0, max: 300, noNaN: true }), { maxLength: 12 }), (wanted) => {
      const placed = spread(wanted, 20, 300).toSorted((one, other) => one - other);
      for (const [index, at] of placed.entries()) {
        expect(at).toBeLessThanOrEqual(300.001);
        if (index > 0) expect(at - (placed[index - 1] ?? 0)).toBeGreaterThanOrEqual(19.999);
      }
    }),
  );
});

test('a path goes through its points, and a step keeps each value until the next', () => {
  const points = [
    [0, 1],
    [2, 3],
  ] as const;
  expect(pathThrough(points)).toBe('M0.0 1.0L2.0 3.0');
  expect(pathThrough(points, 'step')).toBe('M0.0 1.0H2.0V3.0');
});

test('figures have signs for gain and loss, and zero has none', () => {
  expect([signed(110), signed(-20), signed(0)]).toEqual(['+110', '−20', '0']);
  expect([signedUsd(12.5), signedUsd(-1444.484), signedUsd(-0.001)]).toEqual(['+$12.50', '−$1,444.48', '$0.00']);
  expect([change(0.456), change(-0.004), change(-7)]).toEqual(['+0.46 %', '±0.00 %', '−7.00 %']);
  expect([percent(0.625), percent(0.625, 1)]).toEqual(['63 %', '62.5 %']);
  expect([price(64210.5), price(0.081234), price(7.1)]).toEqual(['64,210.50', '0.081234', '7.1000']);
  expect([remaining(2_527_000), remaining(-5), remaining(3_600_000)]).toEqual(['42:07', '00:00', '1:00:00']);
});

test('a lost connection is retried with growing, random pauses up to 10 s', () => {
  expect([0, 1, 2, 20].map((retries) => retryMs(retries, 1))).toEqual([300, 600, 1200, 10_000]);
  expect(retryMs(20, 0)).toBeCloseTo(6_666.7, 0);
});
