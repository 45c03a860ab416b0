import { ASSETS, type Asset, type ByAsset } from '../assets.ts';
import { HOUR } from '../hours.ts';
import { ln } from '../statistics/special-functions.ts';

/** One row and one column for each asset, in the order of `ASSETS`; of hourly log returns. */
export type Covariance = readonly (readonly number[])[];

/** How many hours' returns the covariance is made of: the last 7 days. */
export const COVARIANCE_HOURS = 7 * 24;

/** With fewer hours than these in which every asset has a return, the usual covariance is taken. */
const COVARIANCE_MIN_HOURS = 24;

/** Standard deviations of hourly returns, and the correlation of two assets, from May 2021 to March 2023. */
const USUAL_DEVIATION: ByAsset<number> = {
  BTC: 0.0073,
  ETH: 0.0095,
  SOL: 0.0146,
  AVAX: 0.0145,
  DOGE: 0.0127,
  ADA: 0.0112,
  LINK: 0.0123,
  DOT: 0.0127,
};
const USUAL_CORRELATION = 0.73;

/**
 * The covariance of hourly log returns around 0, from the prices at the edges of the last 168 hours, the oldest first: up
 * to 169 of them, the first hour's open and the close of each, null where there is none. The lists end together. Only hours
 * with both prices of all assets are counted, so the matrix is never indefinite.
 */
export function covarianceOf(edges: ByAsset<readonly (number | null)[]>): number[][] {
  const hours = completeReturns(edges);
  if (hours.length < COVARIANCE_MIN_HOURS) return usualCovariance();
  return ASSETS.map((_, row) =>
    ASSETS.map((__, column) => {
      const products = hours.map((returns) => (returns[row] ?? 0) * (returns[column] ?? 0));
      return products.reduce((sum, product) => sum + product, 0) / hours.length;
    }),
  );
}

/** An hour's first and last price, as a candle has them. */
interface HourEdges {
  readonly hourStart: Date;
  readonly open: string;
  readonly close: string;
}

/** The prices at the edges of the 168 hours from `from` on: the open of the first and the closes of all; null where there is none. */
export function edgesOf(candles: readonly HourEdges[], from: Date): readonly (number | null)[] {
  const edges: (number | null)[] = Array.from({ length: COVARIANCE_HOURS + 1 }, () => null);
  for (const { hourStart, open, close } of candles) {
    const place = (hourStart.getTime() - from.getTime()) / HOUR;
    if (place === 0) edges[0] = Number(open);
    edges[place + 1] = Number(close);
  }
  return edges;
}

/** The returns of all assets, hour by hour, of the hours in which every one of them has one. */
function completeReturns(edges: ByAsset<readonly (number | null)[]>): readonly (readonly number[])[] {
  return Array.from({ length: COVARIANCE_HOURS }, (_, back) =>
    ASSETS.flatMap((asset) => {
      const [close, before] = [edges[asset].at(-1 - back), edges[asset].at(-2 - back)];
      return typeof close === 'number' && typeof before === 'number' ? [ln(close / before)] : [];
    }),
  ).filter((returns) => returns.length === ASSETS.length);
}

function usualCovariance(): number[][] {
  return ASSETS.map((left) =>
    ASSETS.map((right) => {
      const correlation = left === right ? 1 : USUAL_CORRELATION;
      return correlation * USUAL_DEVIATION[left] * USUAL_DEVIATION[right];
    }),
  );
}

/** The variance of the weighted sum of the assets' returns. */
export function varianceOf(weights: readonly (readonly [Asset, number])[], covariance: Covariance): number {
  return weights.reduce(
    (sum, [left, one]) =>
      weights.reduce((inner, [right, other]) => inner + one * other * entry(covariance, left, right), sum),
    0,
  );
}

/**
 * The lower triangle L with L L' = the covariance of these assets (Cholesky), which turns independent normals into
 * correlated ones. An asset that adds no variance of its own gets a row of what the others explain.
 */
export function lowerTriangle(assets: readonly Asset[], covariance: Covariance): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const [index, asset] of assets.entries()) {
    const row: number[] = [];
    for (const [column, other] of assets.slice(0, index + 1).entries()) {
      const earlier = rows[column] ?? row;
      const explained = row.reduce((sum, value, place) => sum + value * (earlier[place] ?? 0), 0);
      const left = entry(covariance, asset, other) - explained;
      const pivot = earlier === row ? 1 : (earlier[column] ?? 0);
      row.push(earlier === row ? Math.sqrt(Math.max(0, left)) : pivot === 0 ? 0 : left / pivot);
    }
    rows.push(row);
  }
  return rows;
}

function entry(covariance: Covariance, row: Asset, column: Asset): number {
  const value = covariance[ASSETS.indexOf(row)]?.[ASSETS.indexOf(column)];
  if (value === undefined)
    throw new RangeError(`the covariance must have a row and a column for each of ${ASSETS.length} assets`);
  return value;
}
