import { type Expression, expressionBuilder, sql } from 'kysely';

import type { DB } from '../../entities/tables.ts';
import type { BoardOrder } from '../../rules/board-orders.ts';
import { type SumName, SUMS } from '../../rules/sums.ts';
import type { Period } from '../../rules/windows.ts';

const standing = expressionBuilder<{ s: DB['standings'] }, 's'>();

/** A sum of a standing `s` in a window. */
export function sumIn(period: Period, name: SumName) {
  return standing.ref(`s.${period}_${SUMS[name].column}`);
}

/** The number of its predictions with an edge. */
export function edgesIn(period: Period) {
  return standing.parens(sumIn(period, 'competitions'), '-', sumIn(period, 'withoutEdge'));
}

function mean(sum: Expression<unknown>, count: Expression<unknown>) {
  return standing(standing.cast(sum, 'float8'), '/', standing.fn('nullif', [count, standing.lit(0)]));
}

/** The figure of a standing `s` in a window that each board is ordered by, descending; null where it is not known. */
export const KEYS: Readonly<Record<BoardOrder, (period: Period) => Expression<unknown>>> = {
  POINTS: (period) => sumIn(period, 'points'),
  EDGE: (period) => mean(sumIn(period, 'edge'), edgesIn(period)),
  SKILL: (period) =>
    standing(sql.lit<unknown>(1), '-', standing(sumIn(period, 'brierSum'), '/', sumIn(period, 'referenceBrierSum'))),
  PNL: (period) => sumIn(period, 'pnlUsd'),
  PEER: (period) => sumIn(period, 'peer'),
  CONTRIBUTION: (period) => sumIn(period, 'contribution'),
  ARENA: (period) => mean(sumIn(period, 'arenaEdge'), sumIn(period, 'arenaEdges')),
};
