import { describe, expect, test } from '@jest/globals';
import { fraction, square, sum, type Fraction } from '../../src/rules/fraction.ts';
import { tierOf, type Tier, type TierRecord } from '../../src/rules/tiers.ts';

const record = (points: number, competitions: number, terms: readonly Fraction[] = []): TierRecord => ({
  points,
  competitions,
  standing: 0,
  edges: competitions,
  edgeSum: sum(terms),
  edgeSquareSum: sum(terms.map(square)),
});

/** `n` terms of which every other is `mean + spread` and the rest `mean - spread`, in hundredths. */
const alternating = (n: number, mean: number, spread: number): readonly Fraction[] =>
  Array.from({ length: n }, (_, i) => fraction(mean + (i % 2 === 0 ? spread : -spread), 100));

describe('tiers', () => {
  test.each<[Tier, number, number]>([
    ['bronze', -500, 0],
    ['bronze', 4_999, 50],
    ['bronze', 5_000, 49],
    ['silver', 5_000, 50],
    ['silver', 1_000_000, 10_000],
  ])('the tier is %s without edge at %i points and %i competitions', (tier, points, competitions) => {
    expect(tierOf(record(points, competitions))).toBe(tier);
  });

  test.each<[Tier, number, number, number]>([
    ['gold', 25_000, 240, 1],
    ['silver', 24_999, 240, 1],
    ['silver', 25_000, 239, 1],
    ['silver', 25_000, 240, 0],
    ['silver', 25_000, 240, -1],
  ])('the tier is %s at %i points, %i competitions and an edge sum of %i', (tier, points, competitions, edgeSum) => {
    expect(tierOf(record(points, competitions, [fraction(edgeSum)]))).toBe(tier);
  });

  test('competitions with default answers do not count for tiers that need an edge', () => {
    const [edge, sure] = [[fraction(1)], alternating(720, 5, 10)];
    expect(tierOf({ ...record(25_000, 1_000, edge), standing: 760 })).toBe('gold');
    expect(tierOf({ ...record(25_000, 1_000, edge), standing: 761 })).toBe('silver');
    expect(tierOf({ ...record(75_000, 1_000, sure), standing: 281 })).toBe('gold');
    expect(tierOf({ ...record(5_000, 50), standing: 50 })).toBe('silver');
  });

  test('the smallest positive edge is enough for gold', () => {
    expect(tierOf(record(25_000, 240, [fraction(1, 10n ** 6n)]))).toBe('gold');
  });

  test.each<[Tier, number, number]>([
    ['diamond', 75_000, 720],
    ['gold', 74_999, 720],
    ['gold', 75_000, 718],
  ])('the tier is %s at %i points and %i competitions with certain edge', (tier, points, competitions) => {
    expect(tierOf(record(points, competitions, alternating(competitions, 5, 10)))).toBe(tier);
  });

  test('exactly two standard errors above 0 are not enough for diamond', () => {
    // n - 1 = 729 = 27^2: sd = spread sqrt(n / (n - 1)), so two standard errors are 2 spread / 27.
    expect(tierOf(record(75_000, 730, alternating(730, 200, 2700)))).toBe('gold');
    expect(tierOf(record(75_000, 730, alternating(730, 200, 2699)))).toBe('diamond');
  });
});
