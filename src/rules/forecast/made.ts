import { isSettled, referenceBrier } from '../edge.ts';
import { inUnits, UNITS } from '../payoffs.ts';
import { type Checkpoint, checkpointAt, forecastAt, vectorsIn } from './forecast.ts';
import { NO_TOTALS, type Totals } from './mixture.ts';
import { eachMean, MEANS, type Means, newPooling } from './pooling.ts';
import type { PointPredictions } from './said.ts';

type ReferenceLookup = (point: number) => readonly number[] | null;

export interface Pool {
  readonly point: number;
  readonly entries: number;
  readonly known: boolean;
  readonly means: Means;
}

export interface Pools {
  readonly all: readonly Pool[];
  /** Adds later points, ascending; all predictions of a point come in one call. */
  add(byPoint: readonly PointPredictions[], referenceAtPoint: ReferenceLookup): void;
}

/** Predictions at a point without a price count over the last known price; at first every answer has 1 / k. */
export function newPools(choices: readonly string[]): Pools {
  const pooling = newPooling(choices.length);
  const all: Pool[] = [];
  let last: readonly number[] = choices.map(() => 1 / choices.length);
  return {
    all,
    add(byPoint, referenceAtPoint) {
      const fromStart =
        all.length > 0 || byPoint[0]?.point === 0 ? byPoint : [{ point: 0, alike: [], sure: [] }, ...byPoint];
      for (const one of fromStart) {
        const price = referenceAtPoint(one.point);
        last = price ?? last;
        pooling.add(one, last);
        const entries = one.alike.reduce((sum, { n }) => sum + n, all.at(-1)?.entries ?? 0);
        all.push({ point: one.point, entries, known: price !== null, means: pooling.means() });
      }
    },
  };
}

export function pointsNeeded(
  byPoint: readonly Pick<PointPredictions, 'point'>[],
  ...own: readonly number[]
): readonly number[] {
  return [...new Set([0, ...byPoint.map((one) => one.point), ...own])].toSorted((one, other) => one - other);
}

interface PooledInputs {
  readonly choices: readonly string[];
  readonly pools: readonly Pool[];
  readonly totals: ReadonlyMap<Checkpoint, Totals>;
  readonly referenceAtPoint: ReferenceLookup;
}

const NOTHING = eachMean(() => null);

/** The forecast from the predictions before a grid point. Without a price there, every answer has 1 / k. */
export function forecastFrom({ choices, pools, totals, referenceAtPoint }: PooledInputs, point: number) {
  const before = pools.filter((pool) => pool.point < point);
  const { entries, means } = before.at(-1) ?? { entries: 0, means: NOTHING };
  const price = referenceAtPoint(point);
  const missed = before.filter(({ known }) => !known).map((pool) => pool.point);
  const weighed = totals.get(checkpointAt(point)) ?? NO_TOTALS;
  const forecast = forecastAt(price ?? choices.map(() => 1 / choices.length), means, weighed);
  return { ...forecast, point, entries, unpriced: price === null ? [...missed, point] : missed };
}

export type MadeForecast = ReturnType<typeof forecastFrom>;

/** In edge units: an edge over the arena minus one over the price. 0 where settled, null without a price. */
export function arenaGain(inputs: PooledInputs, point: number, winnerIndex: number): number | null {
  const price = inputs.referenceAtPoint(point);
  if (price === null || isSettled(price)) return price === null ? null : 0;
  const brierOf = (vector: readonly number[]): number => inUnits(referenceBrier(vector, winnerIndex), UNITS.edge);
  return brierOf(forecastFrom(inputs, point).probabilities) - brierOf(price);
}

export function flatMeans(means: Means, choiceCount: number): readonly (number | null)[] {
  const nobody = Array.from({ length: choiceCount }, () => null);
  return MEANS.flatMap((name): readonly (number | null)[] => means[name] ?? nobody);
}

export function meansIn(flat: readonly (number | null)[], choiceCount: number): readonly Means[] {
  const vectors = vectorsIn(flat, choiceCount).map((vector) => {
    const known = vector.filter((one) => one !== null);
    return known.length === 0 ? null : known;
  });
  return vectorsIn(vectors, MEANS.length).map((ofPoint) => eachMean((name) => ofPoint[MEANS.indexOf(name)] ?? null));
}
