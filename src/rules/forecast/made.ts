import { isSettled, referenceBrier } from '../edge.ts';
import { inUnits, UNITS } from '../payoffs.ts';
import { type Checkpoint, checkpointAt, type Forecast, forecastAt } from './forecast.ts';
import { NO_TOTALS, type Totals } from './mixture.ts';
import { eachMean, MEANS, type Means, newPooling } from './pooling.ts';
import type { SaidAt } from './said.ts';

/** What the price alone said at a grid point; null where it is not known. */
export type PriceAt = (point: number) => readonly number[] | null;

/** The means over all predictions until the end of a grid point. */
export interface Pool {
  readonly point: number;
  readonly entries: number;
  /** Whether the price was known there. */
  readonly known: boolean;
  readonly means: Means;
}

/** Pools of a round, one after the other. */
export interface Pools {
  /** One for the start and each grid point at which something was said, ascending. */
  readonly all: readonly Pool[];
  /** Adds what was said at later points, ascending; what is said at one point comes at once. */
  add(said: readonly SaidAt[], priceAt: PriceAt): void;
}

/**
 * Where the price was not known when predictions were made, they count over the last one before that was, of the points
 * at which something was said; at first every answer has 1 / k.
 */
export function newPools(choices: readonly string[]): Pools {
  const pooling = newPooling(choices.length);
  const all: Pool[] = [];
  let last: readonly number[] = choices.map(() => 1 / choices.length);
  return {
    all,
    add(said, priceAt) {
      const fromStart = all.length > 0 || said[0]?.point === 0 ? said : [{ point: 0, alike: [], sure: [] }, ...said];
      for (const one of fromStart) {
        const price = priceAt(one.point);
        last = price ?? last;
        pooling.add(one, last);
        const entries = one.alike.reduce((sum, { n }) => sum + n, all.at(-1)?.entries ?? 0);
        all.push({ point: one.point, entries, known: price !== null, means: pooling.means() });
      }
    },
  };
}

/** The grid points whose prices forecasts need, ascending: the start, those at which something was said, and their own. */
export function pointsNeeded(said: readonly Pick<SaidAt, 'point'>[], ...own: readonly number[]): readonly number[] {
  return [...new Set([0, ...said.map((one) => one.point), ...own])].toSorted((one, other) => one - other);
}

/** A forecast, how many predictions it is made of, and the grid points at which the price was missed that it needed. */
export interface MadeForecast extends Forecast {
  readonly point: number;
  readonly entries: number;
  readonly unpriced: readonly number[];
}

interface ForecastGrounds {
  readonly choices: readonly string[];
  readonly pools: readonly Pool[];
  readonly totals: ReadonlyMap<Checkpoint, Totals>;
  readonly priceAt: PriceAt;
}

const NOTHING = eachMean(() => null);

/** The forecast at a grid point, of the predictions before it. Where no price is known there every answer has 1 / k. */
export function forecastFrom({ choices, pools, totals, priceAt }: ForecastGrounds, point: number): MadeForecast {
  const before = pools.filter((pool) => pool.point < point);
  const { entries, means } = before.at(-1) ?? { entries: 0, means: NOTHING };
  const price = priceAt(point);
  const missed = before.filter(({ known }) => !known).map((pool) => pool.point);
  const weighed = totals.get(checkpointAt(point)) ?? NO_TOTALS;
  const forecast = forecastAt(price ?? choices.map(() => 1 / choices.length), means, weighed);
  return { ...forecast, point, entries, unpriced: price === null ? [...missed, point] : missed };
}

/**
 * By how much an edge over the arena is more than one over the price, for who predicts at a grid point, in the units of the
 * edge: Brier score of the forecast there - that of the price. 0 where the price has settled the question, null where it is not known.
 */
export function arenaGain(grounds: ForecastGrounds, point: number, winnerIndex: number): number | null {
  const price = grounds.priceAt(point);
  if (price === null || isSettled(price)) return price === null ? null : 0;
  const brierOf = (vector: readonly number[]): number => inUnits(referenceBrier(vector, winnerIndex), UNITS.edge);
  return brierOf(forecastFrom(grounds, point).probabilities) - brierOf(price);
}

/** The numbers of means one behind the other; null where nobody counts. */
export function flatMeans(means: Means, choiceCount: number): readonly (number | null)[] {
  const nobody = Array.from({ length: choiceCount }, () => null);
  return MEANS.flatMap((name): readonly (number | null)[] => means[name] ?? nobody);
}

/** The means of pools that were stored so, one behind the other. */
export function meansIn(flat: readonly (number | null)[], choiceCount: number): readonly Means[] {
  const vectors = Array.from({ length: flat.length / choiceCount }, (_, place) => {
    const vector = flat.slice(place * choiceCount, (place + 1) * choiceCount).filter((one) => one !== null);
    return vector.length === 0 ? null : vector;
  });
  return Array.from({ length: vectors.length / MEANS.length }, (_, place) => {
    const vectorOf = (name: (typeof MEANS)[number]) => vectors[place * MEANS.length + MEANS.indexOf(name)] ?? null;
    return eachMean(vectorOf);
  });
}
