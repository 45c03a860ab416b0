import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { BINS, binSums, reliabilityOf, type ResolvedForecast } from '../../../src/rules/forecast/reliability.ts';
import { vectorOf } from './fields.ts';

const one: ResolvedForecast = {
  minute: 5,
  entries: 3,
  probabilities: [0.75, 0.25],
  said: [0.5, 0.5, 1, 0],
  winner: 0,
};

test('each answer counts in the bin of its probability, and as a hit if it won', () => {
  const bins = reliabilityOf(binSums([one, { ...one, winner: 1 }]), 5);
  expect(bins).toHaveLength(BINS);
  expect(bins[7]).toMatchObject({ from: 0.7, to: 0.8, forecast: { n: 2, meanProbability: 0.75, hitRate: 0.5 } });
  expect(bins[2]?.forecast).toEqual({ n: 2, meanProbability: 0.25, hitRate: 0.5 });
  expect(bins[5]?.price).toEqual({ n: 4, meanProbability: 0.5, hitRate: 0.5 });
  expect(bins[9]?.crowd).toEqual({ n: 2, meanProbability: 1, hitRate: 0.5 });
  expect(bins[0]?.crowd).toEqual({ n: 2, meanProbability: 0, hitRate: 0.5 });
  expect(bins[1]?.forecast).toEqual({ n: 0, meanProbability: null, hitRate: null });
});

test('a round without predictions has no crowd, and each checkpoint counts by itself', () => {
  const sums = binSums([{ ...one, entries: 0 }]);
  expect(new Set(sums.map(({ judged }) => judged))).toEqual(new Set(['forecast', 'price']));
  expect(reliabilityOf(sums, 15).every(({ forecast }) => forecast.n === 0)).toBe(true);
});

test('each answer counts once and each round has one hit, in any order of rounds', () => {
  const resolved = fc.constantFrom(2, 4, 8).chain((count) =>
    fc.record({
      minute: fc.constantFrom(5, 15),
      entries: fc.nat(2),
      probabilities: vectorOf(count),
      said: fc.tuple(vectorOf(count), vectorOf(count)).map((vectors) => vectors.flat()),
      winner: fc.nat(count - 1),
    }),
  );
  fc.assert(
    fc.property(fc.array(resolved, { maxLength: 20 }), (rounds) => {
      const sums = binSums(rounds);
      for (const minute of [5, 15]) {
        const own = rounds.filter((round) => round.minute === minute);
        const bins = reliabilityOf(sums, minute);
        expect(reliabilityOf(binSums(rounds.toReversed()), minute)).toEqual(bins);
        expect(bins.reduce((n, { forecast }) => n + forecast.n, 0)).toBe(
          own.flatMap((round) => round.probabilities).length,
        );
        const hits = bins.reduce((all, { price }) => all + price.n * (price.hitRate ?? 0), 0);
        expect(hits).toBeCloseTo(own.length, 9);
        for (const { from, to, crowd } of bins)
          if (crowd.meanProbability !== null) {
            expect(crowd.meanProbability).toBeGreaterThanOrEqual(from - 1e-6);
            expect(crowd.meanProbability).toBeLessThanOrEqual(to + 1e-6);
          }
      }
    }),
  );
});
