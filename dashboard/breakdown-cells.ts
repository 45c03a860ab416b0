import type { BreakdownQuery } from './documents/agent-detail.ts';
import { percent } from './figures.ts';

export interface HeatCell {
  readonly row: string;
  readonly column: string;
  readonly n: number;
  /** From -1, the worst, to 1; 0 is as good as the price, or as a guess where no price is known. */
  readonly value: number;
  /** The colour's, from 0 to 4. */
  readonly depth: number;
  readonly text: string;
}

/** The largest edge in practice has the deepest colour. */
const DEEPEST_EDGE = 0.25;

/** Cells of fewer predictions are paler. */
const FEW = 5;

/** The first property goes down, the second across. */
export function heatCells(groups: BreakdownQuery['breakdown']): HeatCell[] {
  return groups.map(({ keys, n, hitRate, brier, referenceBrier, edge }) => {
    const gain = edge == null ? (referenceBrier === 0 ? 0 : 1 - brier.mean / referenceBrier) : edge.mean / DEEPEST_EDGE;
    const value = Math.max(-1, Math.min(1, gain));
    return {
      row: keys[0]?.value ?? '',
      column: keys[1]?.value ?? '',
      n,
      value,
      depth: Math.ceil(Math.abs(value) * (n < FEW ? 2 : 4)),
      text: percent(hitRate.mean),
    };
  });
}

export function rowsOf(cells: readonly Pick<HeatCell, 'row'>[]): string[] {
  return [...new Set(cells.map(({ row }) => row))];
}

/** True: at least half of the map has predictions. */
export function isFilled(places: readonly Pick<HeatCell, 'row' | 'column'>[], columns: number): boolean {
  const filled = new Set(places.map(({ row, column }) => `${row} ${column}`)).size;
  return filled > 0 && filled >= (rowsOf(places).length * columns) / 2;
}
