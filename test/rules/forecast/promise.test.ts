import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { CHECKPOINTS, type Forecast } from '../../../src/rules/forecast/forecast.ts';
import {
  mixedBriers,
  mixtureOf,
  NO_TOTALS,
  type Totals,
  totalsAfter,
  weightsOf,
} from '../../../src/rules/forecast/mixture.ts';
import { seeded } from '../../support/seeded.ts';
import { forecastOfRound, priceOf, saidOf, vectorOf } from './fields.ts';
import { brierBy, type Said } from './forecast-oracle.ts';

/** What the forecast may lose more than the price, and more than each candidate, over any number of rounds. */
const MOST = [Math.LN2, ...Array.from({ length: 8 }, () => Math.log(16))];
const ROUNDING = 1e-9;

/** The edges of an agent that has been right. */
const RECORD = Array.from({ length: 40 }, (_, place) => 0.3 + 0.01 * (place % 2));

/** What a price and the forecast over it say at a checkpoint. */
interface Shown {
  readonly price: readonly number[];
  readonly forecast: readonly number[];
}

/** What can be seen between two checkpoints of a round, whose prices are drawn. */
interface Seen {
  readonly round: number;
  /** The place of the next one among the checkpoints. */
  readonly next: number;
  /** What the price will say there. */
  readonly price: readonly number[];
  /** The forecast of the checkpoint before; null where there is none in this round. */
  readonly published: readonly number[] | null;
}

/** Who answers then. */
type Field = (seen: Seen) => readonly Said[];

/** What happens, when it is known what price and forecast said at every checkpoint of the round. */
type Fate = (shown: readonly Shown[], round: number) => number;

/** What the forecast loses beside the price where this answer wins. */
function harmOf({ price, forecast }: Shown, winner: number): number {
  return brierBy(forecast, winner) - brierBy(price, winner);
}

/** The outcome that does the forecast most harm, over these checkpoints together. */
function worstAt(places: readonly number[]): Fate {
  return (shown) => {
    const judged = shown.filter((_, place) => places.includes(place));
    const harm = (shown[0]?.price ?? []).map((_, winner) => judged.reduce((sum, one) => sum + harmOf(one, winner), 0));
    return harm.indexOf(Math.max(...harm));
  };
}

const PLACES = CHECKPOINTS.map((_, place) => place);
const worst = worstAt(PLACES);

interface Lost {
  own: number;
  totals: Totals;
}

/**
 * Plays rounds, each of which is the price at every checkpoint, and holds the promise at each of them after each round;
 * returns what the forecast lost there beside the price.
 */
function hold(rounds: readonly (readonly (readonly number[])[])[], field: Field, fate: Fate): readonly number[] {
  const lost = CHECKPOINTS.map((): Lost => ({ own: 0, totals: NO_TOTALS }));
  // Beyond the promise; compared once, since a comparison of Jest takes longer than a round.
  let greatest = -Infinity;
  for (const [round, prices] of rounds.entries()) {
    const forecasts: (Shown & Pick<Forecast, 'said'>)[] = [];
    const said: Said[] = [];
    for (const [next, price] of prices.entries()) {
      said.push(...field({ round, next, price, published: forecasts.at(-1)?.forecast ?? null }));
      const made = forecastOfRound({ price, said }, lost[next]?.totals ?? NO_TOTALS);
      forecasts.push({ price, forecast: made.probabilities, said: made.said });
    }
    const winner = fate(forecasts, round);
    for (const [place, one] of lost.entries()) {
      const made = forecasts[place];
      one.own += brierBy(made?.forecast ?? [], winner);
      one.totals = totalsAfter(one.totals, made?.said ?? [], winner);
      for (const [expert, total] of one.totals.entries())
        greatest = Math.max(greatest, one.own - total - (MOST[expert] ?? 0));
    }
  }
  expect(greatest).toBeLessThanOrEqual(ROUNDING);
  return lost.map(({ own, totals: [price = NaN] }) => own - price);
}

test('the mixture loses at most the experts’ joint loss, whichever answer wins', () => {
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

describe('regret of at most ln 2 against the price, and ln 16 against each candidate', () => {
  test('the bound of regret holds for any players and outcomes', () => {
    const round = fc.constantFrom(2, 4, 8).chain((count) =>
      fc.record({
        prices: fc.tuple(...CHECKPOINTS.map(() => priceOf(count))),
        fields: fc.tuple(...CHECKPOINTS.map(() => fc.array(saidOf(count), { maxLength: 6 }))),
      }),
    );
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 30 }), fc.nat(7), (rounds, drawn) => {
        const prices = rounds.map((one) => one.prices);
        const field: Field = (seen) => rounds[seen.round]?.fields[seen.next] ?? [];
        hold(prices, field, ([shown]) => drawn % (shown?.price.length ?? 1));
        hold(prices, field, worstAt([drawn % CHECKPOINTS.length]));
        hold(prices, field, worst);
      }),
      { numRuns: 40 },
    );
  });

  test('the bound of regret holds against 1,000 agents who are always wrong at 100', () => {
    const lost = hold(
      pricesOf(100),
      ({ round, next, price }) => {
        const wrong = (winnerOf(round, price.length) + 1) % price.length;
        return next === 0 ? crowd(1000, { pick: wrong, confidence: 100, reference: price }) : [];
      },
      ([shown], round) => winnerOf(round, shown?.price.length ?? 1),
    );
    expect(Math.min(...lost)).toBeGreaterThan(0);
  });

  test.each([
    ['the price', (seen: Seen) => seen.price],
    ['what was published last', (seen: Seen) => seen.published ?? seen.price],
  ])('the bound of regret holds against 1,000 copies of %s', (_, copiedBy) => {
    const field: Field = (seen) => {
      const copied = copiedBy(seen);
      const most = Math.max(...copied);
      return crowd(200, {
        pick: copied.indexOf(most),
        confidence: Math.round(100 * most),
        reference: seen.price,
        point: seen.next,
      });
    };
    for (const fate of [worst, ...PLACES.map((place) => worstAt([place]))]) hold(pricesOf(60), field, fate);
  });

  test.each(PLACES.slice(1))(
    'the bound of regret holds against one contrarian at checkpoint %i with the best record',
    (turn) => {
      const field: Field = ({ next, published, price }) => {
        if (next !== turn || published === null) return [];
        return [{ pick: published.indexOf(Math.min(...published)), confidence: 100, reference: price, edges: RECORD }];
      };
      const lost = hold(pricesOf(200), field, worstAt([turn]));
      expect(lost[turn]).toBeGreaterThan(0);
    },
  );

  test('the bound of regret holds against 1,000 random agents', () => {
    const random = seeded(21);
    const field: Field = ({ next, price }) =>
      Array.from({ length: 200 }, () => ({
        pick: random.between(0, price.length - 1),
        confidence: random.between(0, 100),
        reference: price,
        edges: [],
        point: next,
      }));
    hold(pricesOf(60), field, worst);
  });
});

test('the bound is tight: nearly ln 2 is lost when every candidate is wrong for long', () => {
  const even = CHECKPOINTS.map(() => [0.5, 0.5]);
  const lost = hold(
    Array.from({ length: 100 }, () => even),
    ({ price }) => [{ pick: 1, confidence: 100, reference: price, edges: RECORD }],
    () => 0,
  );
  expect(Math.min(...lost)).toBeGreaterThan(0.9 * Math.LN2);
});

/** Another answer from round to round, whoever plays. */
function winnerOf(round: number, count: number): number {
  return (7 * round + Math.floor(round / 3)) % count;
}

/** So many at one grid point. */
function crowd(size: number, one: Omit<Said, 'edges'>): readonly Said[] {
  return Array.from({ length: size }, () => ({ point: 0, ...one, edges: [] }));
}

/** The prices of so many rounds at each checkpoint. */
function pricesOf(rounds: number): readonly (readonly (readonly number[])[])[] {
  const round = fc.constantFrom(2, 4, 8).chain((count) => fc.tuple(...CHECKPOINTS.map(() => priceOf(count))));
  return fc.sample(round, { numRuns: rounds, seed: 21 });
}
