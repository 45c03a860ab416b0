import { GRID_MS } from '../grid.ts';
import { MINUTE } from '../hours.ts';
import { candidatesAt } from './candidates.ts';
import { mixtureOf, type Totals, weightsOf } from './mixture.ts';
import type { Means } from './pooling.ts';

export const CHECKPOINTS = [5, 15, 30, 45, 55] as const;

export type Checkpoint = (typeof CHECKPOINTS)[number];

/** A checkpoint is recorded at most this late, by the service's clock; after that it is missing for good. */
export const RECORDING_MS = MINUTE;

export function checkpointPoint(minute: Checkpoint): number {
  return (minute * MINUTE) / GRID_MS;
}

/** The checkpoint whose weights apply at a grid point: the last one up to it, else the first. */
export function checkpointAt(point: number): Checkpoint {
  return CHECKPOINTS.findLast((minute) => checkpointPoint(minute) <= point) ?? CHECKPOINTS[0];
}

export interface Forecast {
  /** In the order of the round's choices. */
  readonly probabilities: readonly number[];
  /** Each expert's probabilities and weight, in the order of `EXPERTS`. */
  readonly said: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

/** From `price`, the predictions until then and the totals of earlier rounds. Without predictions it is the price. */
export function forecastAt(price: readonly number[], means: Means, totals: Totals): Forecast {
  const said = [price, ...candidatesAt(price, means)];
  const weights = weightsOf(totals);
  return { probabilities: mixtureOf(said, weights), said, weights };
}

/** A stored list of vectors, one after the other, as vectors. */
export function vectorsIn<Item>(flat: readonly Item[], length: number): readonly (readonly Item[])[] {
  return Array.from({ length: flat.length / length }, (_, index) => flat.slice(index * length, (index + 1) * length));
}
