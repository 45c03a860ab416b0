import { type Asset, ASSETS } from './assets.ts';
import { HOUR, SECOND } from './hours.ts';
import type { ReferenceMoment } from './reference/moment.ts';

/** The spacing of a round's reference instants: 0, 15, ... 3585 s after its start, numbered from 0. */
export const GRID_MS = 15 * SECOND;

export const GRID_POINTS = HOUR / GRID_MS;

/** The last grid point at or before `time`; below 0 before the hour, at most 239. */
export function gridPointAt(hourStart: Date, time: Date): number {
  return Math.min(Math.floor((time.getTime() - hourStart.getTime()) / GRID_MS), GRID_POINTS - 1);
}

export function gridTime(hourStart: Date, point: number): Date {
  return new Date(hourStart.getTime() + point * GRID_MS);
}

export function gridSecondsLeft(point: number): number {
  return (HOUR - point * GRID_MS) / SECOND;
}

export interface GridQuote {
  readonly point: number;
  readonly prices: readonly number[];
  readonly highs: readonly number[];
  readonly lows: readonly number[];
}

/** The lists of a quote from the prices of each asset. */
export function priceLists(soFar: readonly Readonly<Record<'price' | 'high' | 'low', number>>[]) {
  return {
    prices: soFar.map(({ price }) => price),
    highs: soFar.map(({ high }) => high),
    lows: soFar.map(({ low }) => low),
  };
}

export interface ReferenceBasis {
  /** Covariance of hourly log returns, row by row, 8 assets in the order of `ASSETS`: 64 numbers. */
  readonly covariance: readonly number[];
  /** Sign of the subject's return in the hour before; null where not needed or unknown. */
  readonly signBefore: -1 | 0 | 1 | null;
}

export interface RoundQuotes {
  readonly assets: readonly Asset[];
  readonly basis: ReferenceBasis | null;
  /** By grid point; the prices at point 0 are the open. */
  readonly quotes: ReadonlyMap<number, GridQuote>;
}

export function momentAt({ assets, basis, quotes }: RoundQuotes, point: number): ReferenceMoment | null {
  const [open, quote] = [quotes.get(0), quotes.get(point)];
  if (open === undefined || quote === undefined || basis === null) return null;
  const { covariance, signBefore } = basis;
  const soFar = assets.map((asset, index) => [
    asset,
    {
      openUsd: numberAt(open.prices, index),
      priceUsd: numberAt(quote.prices, index),
      highUsd: numberAt(quote.highs, index),
      lowUsd: numberAt(quote.lows, index),
    },
  ]);
  return {
    secondsLeft: gridSecondsLeft(point),
    assets: Object.fromEntries(soFar),
    covariance: ASSETS.map((_, row) => covariance.slice(row * ASSETS.length, (row + 1) * ASSETS.length)),
    signBefore,
  };
}

function numberAt(numbers: readonly number[], index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new RangeError(`a quote must have a number for each asset (got ${numbers.length})`);
  return number;
}
