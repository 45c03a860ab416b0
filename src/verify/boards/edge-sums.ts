import { estimate } from '../../rules/breakdowns.ts';
import { UNITS } from '../../rules/payoffs.ts';

/** In millionths. */
export type EdgeSums = ReturnType<typeof noEdges>;

export function noEdges() {
  return { n: 0, sum: 0n, squares: 0n };
}

/** Adds an edge in millionths, or with `sign` -1 removes it; null counts nowhere. */
export function addEdge(sums: EdgeSums, millionths: number | null, sign: 1 | -1 = 1): void {
  if (millionths === null) return;
  const edge = BigInt(millionths);
  sums.n += sign;
  sums.sum += BigInt(sign) * edge;
  sums.squares += BigInt(sign) * edge * edge;
}

/** The service's own bits: standings are divided so, and the squares of a frozen board add up to less than 2^53. */
export function edgeShown({ n, sum, squares }: EdgeSums) {
  return estimate({ n, sum: Number(sum) / UNITS.edge, squareSum: Number(squares) / UNITS.edge ** 2 });
}
