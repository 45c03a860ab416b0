import { type RawBuilder, sql } from 'kysely';

import type { WindowSums } from '../rules/board-value.ts';
import type { Period } from '../rules/windows.ts';

/** An agent's sums over the resolved rounds of one window that it predicted. */
export interface WindowFigures extends WindowSums {
  readonly arenaPoints: number;
  readonly wins: number;
  /** The sums of rules/payoff-table.ts and rules/payoffs.ts, whole numbers in their units. */
  readonly extendedSums: ExtendedSums;
}

type OrderedBy = WindowSums['extendedSums'];

/** What intervals, edge and luck follow from. */
export interface ExtendedSums extends OrderedBy {
  readonly choices4: number;
  readonly choices8: number;
  readonly chancePnl: number;
  readonly chanceVariance: number;
}

/** A window's sums as one value, of a standing `s`. */
export function windowObject(period: Period): RawBuilder<unknown> {
  const sum = (name: string): RawBuilder<unknown> => sql.ref(`s.${period}_${name}`);
  return sql`json_build_object('points', ${sum('points')}, 'arenaPoints', ${sum('arena_points')}, 'wins', ${sum('wins')},
    'competitions', ${sum('competitions')}, 'pnlUsd', ${sum('pnl_usd')}::text, 'brierSum', ${sum('brier_sum')}::text,
    'referenceBrierSum', ${sum('reference_brier_sum')}::text, 'extendedSums', ${extendedObject(period)})`;
}

/** The sums behind intervals, edge and luck as one value, of a standing `s`. Squares may be rounded to 16 digits. */
export function extendedObject(period: Period): RawBuilder<unknown> {
  const sum = (name: string): RawBuilder<unknown> => sql`coalesce(${sql.ref(`s.${period}_${name}`)}, 0)`;
  return sql`json_build_object('pointsSquares', ${sum('points_square_sum')}, 'skillSquares', ${sum('skill_square_sum')},
    'edge', ${sum('edge_sum')}, 'edgeSquares', ${sum('edge_square_sum')},
    'withoutEdge', ${sum('without_edge')}, 'contribution', ${sum('contribution_sum')}, 'peer', ${sum('peer_sum')}, 'choices4', ${sum('choices_4')}, 'choices8', ${sum('choices_8')},
    'chancePnl', ${sum('chance_pnl_sum')}, 'chanceVariance', ${sum('chance_pnl_variance')})`;
}

/** The sums of who has no scored prediction in a window. */
export const NOTHING: WindowFigures = {
  points: 0,
  arenaPoints: 0,
  wins: 0,
  competitions: 0,
  pnlUsd: '0',
  brierSum: '0',
  referenceBrierSum: '0',
  extendedSums: {
    pointsSquares: 0,
    skillSquares: 0,
    edge: 0,
    edgeSquares: 0,
    withoutEdge: 0,
    contribution: 0,
    peer: 0,
    choices4: 0,
    choices8: 0,
    chancePnl: 0,
    chanceVariance: 0,
  },
};
