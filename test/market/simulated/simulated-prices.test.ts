import { describe, expect, test } from '@jest/globals';
import { hashedBell, hashedUniform, walkAt } from '../../../src/market/simulated/simulated-prices.ts';

const DRAWS = 20_000;

function meanSquare(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0) / values.length;
}

describe('hashed noise', () => {
  test('hashed noise is uniform in [0, 1)', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let place = 0; place < DRAWS; place++) {
      const tenth = Math.floor(hashedUniform(7, place, 3) * 10);
      counts[tenth] = (counts[tenth] ?? 0) + 1;
    }
    for (const count of counts) expect(count / DRAWS).toBeCloseTo(0.1, 1);
    expect(counts).toHaveLength(10);
  });

  test.each([
    ['seed', (place: number) => hashedBell(place, 1, 1)],
    ['first number', (place: number) => hashedBell(1, place, 1)],
    ['second number', (place: number) => hashedBell(1, 1, place)],
  ])('hashed noise is normal, with variance 1 and no correlation along its %s', (_, noise) => {
    const draws = Array.from({ length: DRAWS }, (__, place) => noise(place - DRAWS / 2));
    const mean = draws.reduce((sum, value) => sum + value, 0) / DRAWS;
    const memory = draws.reduce((sum, value, place) => sum + value * (draws[place + 1] ?? 0), 0) / DRAWS;
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(Math.abs(meanSquare(draws) - 1)).toBeLessThan(0.04);
    expect(Math.abs(memory)).toBeLessThan(0.03);
    const within = draws.filter((value) => Math.abs(value) < 1).length / DRAWS;
    expect(Math.abs(within - 0.68)).toBeLessThan(0.03);
  });
});

describe('random walk', () => {
  test.each([1, 7, 60, 3600, 86_400])('the walk has a variance of 1 an hour over %i s', (lag) => {
    const steps = Array.from({ length: 2000 }, (_, place) => {
      const second = 1_700_000_000 + place * 9973;
      return walkAt(5, second + lag) - walkAt(5, second);
    });
    expect(meanSquare(steps) / (lag / 3600)).toBeGreaterThan(0.85);
    expect(meanSquare(steps) / (lag / 3600)).toBeLessThan(1.15);
  });

  test('the walk does not jump between two blocks', () => {
    for (let block = -3; block < 400; block++) {
      const end = block * 2 ** 22;
      expect(Math.abs(walkAt(9, end) - walkAt(9, end - 1))).toBeLessThan(0.1);
      expect(Math.abs(walkAt(9, end + 1) - walkAt(9, end))).toBeLessThan(0.1);
    }
  });
});
