import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { mixedBriers, mixtureOf, NO_TOTALS, totalsAfter, weightsOf } from '../../../src/rules/forecast/mixture.ts';
import { seeded, type Seeded } from '../../support/seeded.ts';
import { forecastOfRound, priceOf, round, vectorOf } from './fields.ts';
import { brierBy, type Said } from './forecast-oracle.ts';

/** What the forecast may lose more than the price, and more than each candidate, over any number of rounds. */
const MOST = [Math.LN2, ...Array.from({ length: 8 }, () => Math.log(16))];
const ROUNDING = 1e-9;

interface Moment {
  readonly price: readonly number[];
  readonly said: readonly Said[];
}

/** What happens, when it is known what the price and the forecast say. */
type Fate = (price: readonly number[], forecast: readonly number[]) => number;

/** The outcome that does the forecast most harm beside the price. */
const worst: Fate = (price, forecast) => {
  const harm = price.map((_, winner) => brierBy(forecast, winner) - brierBy(price, winner));
  return harm.indexOf(Math.max(...harm));
};

/** Plays rounds through one checkpoint, and holds the promise after each of them; returns what the forecast lost beside the price. */
function hold(moments: Iterable<Moment>, fate: Fate): number {
  let [totals, own] = [NO_TOTALS, 0];
  for (const { price, said } of moments) {
    const forecast = forecastOfRound({ price, said }, totals);
    const winner = fate(price, forecast.probabilities);
    own += brierBy(forecast.probabilities, winner);
    totals = totalsAfter(totals, forecast.said, winner);
    for (const [place, total] of totals.entries())
      expect(own - total).toBeLessThanOrEqual((MOST[place] ?? 0) + ROUNDING);
  }
  return own - (totals[0] ?? 0);
}

test('whichever answer wins, the mixture loses at most what the experts lose together', () => {
  const game = fc.constantFrom(2, 3, 4, 8).chain((count) =>
    fc.record({
      said: fc.array(vectorOf(count), { minLength: 9, maxLength: 9 }),
      lost: fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { minLength: 9, maxLength: 9 }),
    }),
  );
  fc.assert(
    fc.property(game, ({ said, lost }) => {
      const weights = weightsOf(lost);
      const mixture = mixtureOf(said, weights);
      for (const [winner, most] of mixedBriers(said, weights).entries())
        expect(brierBy(mixture, winner)).toBeLessThanOrEqual(most + 1e-12);
    }),
    { numRuns: 3000 },
  );
});

describe('after every round the forecast has lost at most ln 2 more than the price, and ln 16 more than each candidate', () => {
  test('whoever plays, and whatever happens', () => {
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 40 }), fc.nat(7), (moments, drawn) => {
        hold(moments, (price) => drawn % price.length);
        hold(moments, worst);
      }),
      { numRuns: 60 },
    );
  });

  test('against 1,000 who are always wrong at 100', () => {
    let winner = 0;
    const moments = lazily(60, (price, random) => {
      winner = random.between(0, price.length - 1);
      return crowd(1000, { pick: (winner + 1) % price.length, confidence: 100, reference: price });
    });
    expect(hold(moments, () => winner)).toBeGreaterThan(0);
  });

  test('against 1,000 who copy the price', () => {
    const moments = lazily(60, (price) => {
      const most = Math.max(...price);
      return crowd(1000, { pick: price.indexOf(most), confidence: Math.round(100 * most), reference: price });
    });
    hold(moments, worst);
  });

  test('against one who says the contrary of what was published last, with the best of records', () => {
    let published: readonly number[] = [];
    const edges = Array.from({ length: 40 }, (_, place) => 0.3 + 0.01 * (place % 2));
    const moments = lazily(200, (price) => {
      const least = published.length === price.length ? published.indexOf(Math.min(...published)) : 0;
      return [{ pick: least, confidence: 100, reference: price, edges }];
    });
    const lost = hold(moments, (price, forecast) => {
      published = forecast;
      return worst(price, forecast);
    });
    expect(lost).toBeGreaterThan(0);
  });

  test('against 1,000 coins', () => {
    const moments = lazily(60, (price, random) =>
      Array.from({ length: 1000 }, () => ({
        pick: random.between(0, price.length - 1),
        confidence: random.between(0, 100),
        reference: price,
        edges: [],
      })),
    );
    hold(moments, worst);
  });
});

test('the promise is not a loose one: where every candidate is wrong for long, nearly ln 2 is lost', () => {
  const edges = Array.from({ length: 40 }, (_, place) => 0.3 + 0.01 * (place % 2));
  const said = [{ pick: 1, confidence: 100, reference: [0.5, 0.5], edges }];
  const lost = hold(
    Array.from({ length: 100 }, () => ({ price: [0.5, 0.5], said })),
    () => 0,
  );
  expect(lost).toBeGreaterThan(0.9 * Math.LN2);
});

function crowd(size: number, one: Pick<Said, 'pick' | 'confidence' | 'reference'>): readonly Said[] {
  return Array.from({ length: size }, () => ({ ...one, edges: [] }));
}

/** Rounds whose prices are drawn, each field made when its turn comes: by then it is known what was published before. */
function* lazily(
  rounds: number,
  field: (price: readonly number[], random: Seeded) => readonly Said[],
): Generator<Moment> {
  const random = seeded(21);
  const prices = fc.sample(
    fc.constantFrom(2, 4, 8).chain((count) => priceOf(count)),
    { numRuns: rounds, seed: 21 },
  );
  for (const price of prices) yield { price, said: field(price, random) };
}
