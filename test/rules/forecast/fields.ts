import * as fc from 'fast-check';

import { withinBounds } from '../../../src/rules/bounds.ts';
import { forecastAt, type Forecast } from '../../../src/rules/forecast/forecast.ts';
import type { Totals } from '../../../src/rules/forecast/mixture.ts';
import { type Means, newPooling } from '../../../src/rules/forecast/pooling.ts';
import { type Given, saidBy } from '../../../src/rules/forecast/said.ts';
import type { Sums } from '../../../src/rules/statistics/means.ts';
import type { Said } from './forecast-oracle.ts';

/** Probabilities of `count` answers, as the price has them: within its bounds, or settled. */
export function priceOf(count: number): fc.Arbitrary<readonly number[]> {
  const open = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: count, maxLength: count }).map((weights) => {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return withinBounds(weights.map((weight) => weight / sum));
  });
  const settled = fc
    .nat(count - 1)
    .map((winner) => Array.from({ length: count }, (_, place) => Number(place === winner)));
  return fc.oneof({ weight: 9, arbitrary: open }, { weight: 1, arbitrary: settled });
}

/** Any probabilities of `count` answers, certainties among them. */
export function vectorOf(count: number): fc.Arbitrary<readonly number[]> {
  return fc
    .array(fc.oneof(fc.nat(1000), fc.constant(0)), { minLength: count, maxLength: count })
    .filter((weights) => weights.some((weight) => weight > 0))
    .map((weights) => {
      const sum = weights.reduce((total, weight) => total + weight, 0);
      return weights.map((weight) => weight / sum);
    });
}

/** In millionths, as they are stored. */
const edges = fc
  .oneof(
    fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 40 }),
    fc.array(fc.integer({ min: -100_000, max: 300_000 }), { minLength: 20, maxLength: 40 }),
  )
  .map((all) => all.map((edge) => edge / 1_000_000));

/** A prediction of a round of `count` answers. */
export function saidOf(count: number): fc.Arbitrary<Said> {
  return fc.record({
    pick: fc.nat(count - 1),
    confidence: fc.integer({ min: 0, max: 100 }),
    reference: priceOf(count),
    edges,
  });
}

/** A round at a checkpoint: the price, and the predictions until then in the order of submission. */
export const round = fc
  .constantFrom(2, 4, 8)
  .chain((count) => fc.record({ price: priceOf(count), said: fc.array(saidOf(count), { maxLength: 25 }) }));

/** The same as src takes it: each at a grid point of its own, where it says none. */
export function givenOf(said: readonly Said[]): readonly Given[] {
  return said.map(({ pick, confidence, edges: own, point }, place) => ({
    point: point ?? place,
    pickIndex: pick,
    confidence,
    edges: sumsOf(own),
  }));
}

/** The means over predictions, of which those of one grid point have the reference of the first of them. */
export function meansOf(
  given: readonly Given[],
  references: readonly (readonly number[])[],
  choiceCount: number,
): Means {
  const pooling = newPooling(choiceCount);
  for (const one of saidBy(given)) pooling.add(one, references[one.point] ?? []);
  return pooling.means();
}

/** The forecast of a round at a checkpoint. */
export function forecastOfRound(
  { price, said }: { readonly price: readonly number[]; readonly said: readonly Said[] },
  totals: Totals,
): Forecast {
  const references: (readonly number[])[] = [];
  for (const [place, { point = place, reference }] of said.entries()) references[point] ??= reference;
  return forecastAt(price, meansOf(givenOf(said), references, price.length), totals);
}

/** Edges in millionths. */
export function sumsOf(own: readonly number[]): Sums {
  const whole = own.map((edge) => Math.round(edge * 1_000_000));
  const sum = (of: (edge: number) => number): number => whole.reduce((total, edge) => total + of(edge), 0);
  return { n: own.length, sum: sum((edge) => edge), squareSum: sum((edge) => edge * edge) };
}
