import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { forecastAt } from '../../../src/rules/forecast/forecast.ts';
import {
  EXPERTS,
  mixedBriers,
  NO_TOTALS,
  PRIORS,
  totalsAfter,
  weightsOf,
} from '../../../src/rules/forecast/mixture.ts';
import { movedPrice, residualOf } from '../../../src/rules/forecast/residuals.ts';
import { forecastOfRound, givenOf, meansOf, round } from './fields.ts';
import { expertsBy, mixtureBy } from './forecast-oracle.ts';

const RUNS = { numRuns: 300 };

const totals = fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 9, maxLength: 9 });

function near(found: readonly number[], wanted: readonly number[], reach = 1e-9): void {
  expect(found).toHaveLength(wanted.length);
  for (const [place, one] of wanted.entries()) expect(Math.abs((found[place] ?? NaN) - one)).toBeLessThan(reach);
}

test('an independent oracle agrees on every expert and the forecast of random rounds', () => {
  fc.assert(
    fc.property(round, totals, ({ price, said }, lost) => {
      const forecast = forecastOfRound({ price, said }, lost);
      const experts = expertsBy(price, said);
      for (const [place, vector] of experts.entries()) near(forecast.said[place] ?? [], vector);
      near(forecast.probabilities, mixtureBy(experts, lost));
    }),
    RUNS,
  );
});

test('the answers of the forecast and of each expert add up to 1 and are not negative', () => {
  fc.assert(
    fc.property(round, totals, ({ price, said }, lost) => {
      const forecast = forecastOfRound({ price, said }, lost);
      for (const vector of [forecast.probabilities, ...forecast.said]) {
        expect(Math.min(...vector)).toBeGreaterThanOrEqual(0);
        expect(vector.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
      }
    }),
    RUNS,
  );
});

test('the forecast is the same to the last bit for any order of a grid point’s predictions', () => {
  fc.assert(
    fc.property(round, totals, fc.integer({ min: 1, max: 9 }), ({ price, said }, lost, perPoint) => {
      const references = said.map(({ reference }) => reference);
      const given = givenOf(said).map((one) => ({ ...one, point: Math.floor(one.point / perPoint) }));
      const means = meansOf(given, references, price.length);
      expect(meansOf(given.toReversed(), references, price.length)).toEqual(means);
      const copied = structuredClone({ price, means, lost });
      expect(forecastAt(copied.price, copied.means, copied.lost)).toEqual(forecastAt(price, means, lost));
    }),
    RUNS,
  );
});

test('the forecast without predictions is the price, up to rounding', () => {
  fc.assert(
    fc.property(round, totals, ({ price }, lost) =>
      near(forecastOfRound({ price, said: [] }, lost).probabilities, price, 1e-12),
    ),
  );
});

describe('experts', () => {
  test('the experts are the price with weight 1/2 and eight candidates that share the rest', () => {
    expect(EXPERTS).toEqual(['price', 'mean', 'half', 'whole', 'sharp', 'record', 'contributors', 'best', 'recent']);
    expect(PRIORS).toEqual([0.5, ...Array.from({ length: 8 }, () => 1 / 16)]);
    near(weightsOf(NO_TOTALS), PRIORS, 1e-15);
  });

  test('an expert’s weight falls by a factor of e for each point of Brier score', () => {
    const [price = 0, mean = 0, half = 0] = weightsOf([10, 11, 10, 10, 10, 10, 10, 10, 10]);
    expect(price / half).toBeCloseTo(8, 12);
    expect(half / mean).toBeCloseTo(Math.E, 12);
    // As little as is left of it, there is no division by 0.
    expect(weightsOf([2000, ...Array.from({ length: 8 }, () => 0)])[0]).toBe(0);
  });
});

describe('residual of a prediction', () => {
  test('a residual is applied to a later price: 80 over 60 moves 50 by the same odds', () => {
    const residual = residualOf([0.8, 0.2], [0.6, 0.4]);
    // Odds of 4 over odds of 1.5.
    near(movedPrice([0.5, 0.5], residual, 1), [4 / 1.5 / (1 + 4 / 1.5), 1 / (1 + 4 / 1.5)]);
    near(movedPrice([0.6, 0.4], residual, 1), [0.8, 0.2]);
    near(movedPrice([0.6, 0.4], residual, 0), [0.6, 0.4]);
  });

  test('a settled question has no residual, and none moves it', () => {
    expect(residualOf([0, 1], [1, 0])).toEqual([0, 0]);
    expect(movedPrice([1, 0], residualOf([0.01, 0.99], [0.9, 0.1]), 1.73)).toEqual([1, 0]);
  });
});

describe('experts by record', () => {
  const price = [0.5, 0.5];
  const good = Array.from({ length: 30 }, (_, place) => 0.1 + 0.01 * (place % 2));
  const says = (pick: number, edges: readonly number[] = []) => ({ pick, confidence: 90, reference: price, edges });
  const saidBy = (name: string, said: readonly ReturnType<typeof says>[]): readonly number[] =>
    forecastOfRound({ price, said }, NO_TOTALS).said[EXPERTS.indexOf(name)] ?? [];

  test.each(['record', 'contributors', 'best'])('the expert `%s` ignores agents without a record', (name) => {
    expect(saidBy(name, [says(0)])).toEqual(price);
    near(saidBy(name, [says(0, good), says(1)]), saidBy(name, [says(0, good)]));
    expect(saidBy(name, [says(0, good)])[0]).toBeGreaterThan(0.89);
  });

  test('the expert `best` counts the ten agents with the highest lower bound of edge', () => {
    const better = good.map((edge) => edge + 0.1);
    const ten = Array.from({ length: 10 }, () => says(0, better));
    near(saidBy('best', [says(1, good), ...ten]), [0.9, 0.1]);
    near(saidBy('best', [...ten, says(1, good)]), [0.9, 0.1]);
    // Who ties with the tenth counts as well.
    near(saidBy('best', [...ten, says(1, better)]), saidBy('contributors', [...ten, says(1, better)]));
  });

  test('the expert `recent` weighs newer predictions more, and those of a grid point equally', () => {
    expect(saidBy('recent', [says(0), says(1)])[1]).toBeGreaterThan(0.5);
    const given = givenOf([says(0), says(1)]).map((one) => ({ ...one, point: 0 }));
    near(meansOf(given, [price], 2).recent ?? [], meansOf(given, [price], 2).everybody ?? []);
  });
});

test('the example of docs/forecast.md has the documented figures', () => {
  const edges = Array.from({ length: 30 }, (_, place) => 0.1 + 0.01 * (place % 2));
  const one = { pick: 0, confidence: 80, reference: [0.6, 0.4], edges };
  const { said, weights, probabilities } = forecastOfRound({ price: [0.5, 0.5], said: [one] }, NO_TOTALS);
  const yes = [0.5, 0.8, 0.62, 0.727, 0.845, 0.845, 0.727, 0.727, 0.727];
  near(
    said.flatMap(([first = NaN]) => first),
    yes,
    0.0005,
  );
  near(mixedBriers(said, weights), [0.298, 0.763], 0.0005);
  near(probabilities, [0.616, 0.384], 0.0005);
  expect(weightsOf(totalsAfter(NO_TOTALS, said, 0))[0]).toBeCloseTo(0.409, 3);
});
