import { fraction, toDecimal } from '../rules/fraction.ts';
import { meanInterval } from '../rules/statistics/means.ts';
import { UNITS } from '../rules/payoffs.ts';

/** Sums over edges, in millionths. */
export interface EdgeSums {
  n: number;
  sum: bigint;
  squares: bigint;
}

/** Nothing yet. */
export function noEdges(): EdgeSums {
  return { n: 0, sum: 0n, squares: 0n };
}

/** Adds the edge of a prediction, in millionths; one without an edge counts nowhere. */
export function addEdge(sums: EdgeSums, millionths: number | null): void {
  if (millionths === null) return;
  const edge = BigInt(millionths);
  sums.n += 1;
  sums.sum += edge;
  sums.squares += edge * edge;
}

/** Takes away what was added. */
export function removeEdge(sums: EdgeSums, millionths: number | null): void {
  if (millionths === null) return;
  const edge = BigInt(millionths);
  sums.n -= 1;
  sums.sum -= edge;
  sums.squares -= edge * edge;
}

/** The mean with its interval as standings show it; null of nothing. */
export function standingEdge({ n, sum, squares }: EdgeSums) {
  return meanShown(n, Number(sum) / UNITS.edge, Number(squares) / UNITS.edge ** 2);
}

/** The same as frozen boards show it, which keep the sums as decimals. */
export function archivedEdge({ n, sum, squares }: EdgeSums) {
  return meanShown(n, decimalOf(sum, UNITS.edge), decimalOf(squares, UNITS.edge ** 2));
}

function decimalOf(units: bigint, one: number): number {
  return Number(toDecimal(fraction(units, one)));
}

function meanShown(n: number, sum: number, squareSum: number) {
  if (n === 0) return null;
  const { low = null, high = null } = meanInterval({ n, sum, squareSum }) ?? {};
  return { mean: sum / n, low, high, n };
}
