import { GRID_MS } from '../grid.ts';
import { MINUTE } from '../hours.ts';
import { candidatesAt } from './candidates.ts';
import { mixtureOf, type Totals, weightsOf } from './mixture.ts';
import type { Means } from './pooling.ts';

/** Minutes of the hour at which the forecast is recorded; each has totals and weights of its own. */
export const CHECKPOINTS = [5, 15, 30, 45, 55] as const;

export type Checkpoint = (typeof CHECKPOINTS)[number];

/** How long after its minute a checkpoint may still be recorded, by the service's clock; then it is missing for good. */
export const RECORDING_MS = MINUTE;

/** The grid point (`src/rules/grid.ts`) at which a checkpoint lies. */
export function checkpointPoint(minute: Checkpoint): number {
  return (minute * MINUTE) / GRID_MS;
}

/** The checkpoint whose weights count at a grid point: the last one until then, before all of them the first. */
export function checkpointAt(point: number): Checkpoint {
  return CHECKPOINTS.findLast((minute) => checkpointPoint(minute) <= point) ?? CHECKPOINTS[0];
}

/** What all agents know together at a moment, and what it is made of. */
export interface Forecast {
  /** A probability for each answer, in the order of the round's choices. */
  readonly probabilities: readonly number[];
  /** What each expert says, and how much it counts, in the order of `EXPERTS`. */
  readonly said: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

/**
 * The arena's forecast at a moment at which the price says `price`, from the means over the predictions until then and the
 * totals of the rounds decided before. Without predictions it is the price.
 */
export function forecastAt(price: readonly number[], means: Means, totals: Totals): Forecast {
  const said = [price, ...candidatesAt(price, means)];
  const weights = weightsOf(totals);
  return { probabilities: mixtureOf(said, weights), said, weights };
}

/** What experts said of a round with so many answers, stored one behind the other. */
export function expertsIn(said: readonly number[], choiceCount: number): readonly (readonly number[])[] {
  return Array.from({ length: said.length / choiceCount }, (_, place) =>
    said.slice(place * choiceCount, (place + 1) * choiceCount),
  );
}
