import { ASSETS, type Asset, type ByAsset } from '../assets.ts';
import type { Candle } from '../candle.ts';
import { HOUR } from '../hours.ts';
import { ln } from '../statistics/special-functions.ts';

/** Covariance of hourly log returns, rows and columns in the order of `ASSETS`. */
export type Covariance = readonly (readonly number[])[];

export const COVARIANCE_HOURS = 7 * 24;

const COVARIANCE_MIN_HOURS = 24;

/** Hourly standard deviations and the pairwise correlation, from May 2021 to March 2023. */
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

/** From the first open and all closes of 168 hours. Only complete hours count, so it is never indefinite. */
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

/** The first open and all closes of the 168 hours from `from` on; null where missing. */
export function edgesOf(
  candles: readonly (Pick<Candle, 'open' | 'close'> & { readonly hourStart: Date })[],
  from: Date,
): readonly (number | null)[] {
  const edges: (number | null)[] = Array.from({ length: COVARIANCE_HOURS + 1 }, () => null);
  for (const { hourStart, open, close } of candles) {
    const index = (hourStart.getTime() - from.getTime()) / HOUR;
    if (index === 0) edges[0] = Number(open);
    edges[index + 1] = Number(close);
  }
  return edges;
}

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

export function varianceOf(weights: readonly (readonly [Asset, number])[], covariance: Covariance): number {
  return weights.reduce(
    (sum, [left, one]) =>
      weights.reduce((inner, [right, other]) => inner + one * other * entry(covariance, left, right), sum),
    0,
  );
}

/** Cholesky: L with L L' = the covariance. An asset without variance of its own gets what the others explain. */
export function lowerTriangle(assets: readonly Asset[], covariance: Covariance): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const [index, asset] of assets.entries()) {
    const row: number[] = [];
    for (const [column, other] of assets.slice(0, index + 1).entries()) {
      const earlier = rows[column] ?? row;
      const explained = row.reduce((sum, value, inner) => sum + value * (earlier[inner] ?? 0), 0);
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
