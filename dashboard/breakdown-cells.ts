import type { BreakdownQuery } from './documents/agent.ts';
import { percent } from './figures.ts';

type Groups = BreakdownQuery['breakdown'];

export interface HeatCell {
  readonly row: string;
  readonly column: string;
  readonly n: number;
  /** From -1, the worst, to 1; 0 is as good as the price, or as a guess where no price is known. */
  readonly value: number;
  readonly text: string;
}

/** The largest edge in practice has the deepest colour. */
const DEEPEST_EDGE = 0.25;

/** The first property goes down, the second across. */
export function heatCells(groups: Groups): HeatCell[] {
  return groups.map(({ keys, n, hitRate, brier, referenceBrier, edge }) => {
    const gain = edge == null ? (referenceBrier === 0 ? 0 : 1 - brier.mean / referenceBrier) : edge.mean / DEEPEST_EDGE;
    return {
      row: keys[0]?.value ?? '',
      column: keys[1]?.value ?? '',
      n,
      value: Math.max(-1, Math.min(1, gain)),
      text: percent(hitRate.mean),
    };
  });
}

export function rowsOf(cells: readonly HeatCell[]): string[] {
  return [...new Set(cells.map(({ row }) => row))];
}
