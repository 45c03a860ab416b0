import { figureOf, UNITS } from '../payoffs.ts';
import type { Sums } from '../statistics/means.ts';
import { type Forecast, forecastAt } from './forecast.ts';
import type { Totals } from './mixture.ts';

/** A prediction as far as a forecast goes. */
export interface Given {
  readonly id: number;
  readonly prediction: string;
  /** Percent. */
  readonly confidence: number;
  /** The grid point at which it was made. */
  readonly point: number;
  /** Its agent's edges in the rounds that are decided. */
  readonly edges: Sums;
}

/** What a forecast at a grid point rests on. */
export interface Grounds {
  readonly choices: readonly string[];
  readonly point: number;
  /** Made before that point. */
  readonly given: readonly Given[];
  readonly totals: Totals;
  /** What the price alone said at a grid point; null where it is not known. */
  readonly priceAt: (point: number) => readonly number[] | null;
}

/** A forecast, and the grid points at which the price was missed that it needed, ascending. */
export interface MadeForecast extends Forecast {
  readonly unpriced: readonly number[];
}

/** The grid points whose prices a forecast needs, ascending: the start, those of the predictions, and its own. */
export function pointsNeeded({ given, point }: Pick<Grounds, 'given' | 'point'>): readonly number[] {
  return [...new Set([0, ...given.map((one) => one.point), point])].toSorted((one, other) => one - other);
}

/**
 * The forecast at a grid point. Where the price was not known when a prediction was made, it counts over the last one before
 * it that was, of the points that are needed; at first, and at the forecast's own point, every answer has 1 / k.
 */
export function forecastFrom({ choices, point, given, totals, priceAt }: Grounds): MadeForecast {
  const even = choices.map(() => 1 / choices.length);
  const known = new Map<number, readonly number[]>();
  const unpriced: number[] = [];
  let last: readonly number[] = even;
  for (const needed of pointsNeeded({ given, point })) {
    const price = priceAt(needed);
    if (price === null) unpriced.push(needed);
    last = price ?? last;
    known.set(needed, last);
  }
  const price = unpriced.includes(point) ? even : last;
  const entries = given.map(({ id, prediction, confidence, point: at, edges }) => ({
    id,
    confidence,
    edges,
    pickIndex: choices.indexOf(prediction),
    reference: known.get(at) ?? even,
  }));
  return { ...forecastAt(price, entries, totals), unpriced };
}

/** An agent's edges of their sums in millionths, as standings have them. */
export function edgesOf({ n, sum, squareSum }: Sums): Sums {
  return {
    n,
    sum: figureOf(sum, UNITS.edge) ?? 0,
    squareSum: figureOf(squareSum, UNITS.edge * UNITS.edge) ?? 0,
  };
}
