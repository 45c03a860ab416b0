import { type Asset, ASSETS } from './assets.ts';
import { HOUR, SECOND } from './hours.ts';
import type { ReferenceMoment } from './reference/moment.ts';

/** The instants of a round at which the reference stands: 0, 15, ... 3585 s after its start, numbered from 0. */
export const GRID_MS = 15 * SECOND;

/** How many grid points an hour has: 240. */
export const GRID_POINTS = HOUR / GRID_MS;

/** The number of the last grid point at or before `time`; below 0 before the hour, 239 from its last point on. */
export function gridPointAt(hourStart: Date, time: Date): number {
  return Math.min(Math.floor((time.getTime() - hourStart.getTime()) / GRID_MS), GRID_POINTS - 1);
}

export function gridTime(hourStart: Date, point: number): Date {
  return new Date(hourStart.getTime() + point * GRID_MS);
}

/** Whole seconds from grid point number `point` to the end of the hour: 3600 at the first one, 15 at the last. */
export function gridSecondsLeft(point: number): number {
  return (HOUR - point * GRID_MS) / SECOND;
}

/** What the market showed of a round's assets at a grid point, in the order of the round's assets, in USD. */
export interface GridQuote {
  readonly point: number;
  readonly prices: readonly number[];
  /** Highest and lowest since the hour began. */
  readonly highs: readonly number[];
  readonly lows: readonly number[];
}

/** What a round's references rest on beside its prices. */
export interface ReferenceBasis {
  /** Of hourly log returns, row by row, all 8 assets in the order of `ASSETS`: 64 numbers. */
  readonly covariance: readonly number[];
  /** The sign of the subject's return in the hour before; null where the question does not ask for it or it is not known. */
  readonly signBefore: -1 | 0 | 1 | null;
}

/** All that is stored of a round's prices. */
export interface RoundQuotes {
  readonly assets: readonly Asset[];
  readonly basis: ReferenceBasis | null;
  /** By grid point; the prices at point 0 are the open. */
  readonly quotes: ReadonlyMap<number, GridQuote>;
}

/** What the reference at a grid point follows from; null where a price there, the open or the basis is not known. */
export function momentAt({ assets, basis, quotes }: RoundQuotes, point: number): ReferenceMoment | null {
  const [open, quote] = [quotes.get(0), quotes.get(point)];
  if (open === undefined || quote === undefined || basis === null) return null;
  const { covariance, signBefore } = basis;
  const soFar = assets.map((asset, place) => [
    asset,
    {
      openUsd: numberAt(open.prices, place),
      priceUsd: numberAt(quote.prices, place),
      highUsd: numberAt(quote.highs, place),
      lowUsd: numberAt(quote.lows, place),
    },
  ]);
  return {
    secondsLeft: gridSecondsLeft(point),
    assets: Object.fromEntries(soFar),
    covariance: ASSETS.map((_, row) => covariance.slice(row * ASSETS.length, (row + 1) * ASSETS.length)),
    signBefore,
  };
}

function numberAt(numbers: readonly number[], place: number): number {
  const number = numbers[place];
  if (number === undefined) throw new RangeError(`a quote must have a number for each asset (got ${numbers.length})`);
  return number;
}
