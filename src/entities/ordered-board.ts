import { defineEntity, p } from '@mikro-orm/core';

import { BOARD_ORDERS } from '../rules/board-orders.ts';
import type { ChanceSums, WindowSums } from '../rules/board-value.ts';
import type { RankInterval } from '../rules/statistics/rank-intervals.ts';
import type { PlacedSums } from './archive.ts';
import { PERIODS } from '../rules/windows.ts';

/** A place of a kept board with all figures that it shows, but the present streaks and tier. */
export interface OrderedPlace extends PlacedSums {
  /** How many of them count for the board's least number of rounds; unset on a board that a version before made. */
  readonly counted?: number;
  /** What edge and luck follow from; unset on a board that a version before made. */
  readonly extendedSums?: WindowSums['extendedSums'] & ChanceSums;
  /** What the board is ordered by. */
  readonly value: number;
  /** Its 95 % interval. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/**
 * The first places of a window's board in one order, worked out after a resolution: one row, so that no part of it is
 * ever read with a part of another state.
 */
export const OrderedBoard = defineEntity({
  name: 'OrderedBoard',
  tableName: 'ordered_boards',
  properties: {
    period: p.enum(PERIODS).primary(),
    orderBy: p.enum(BOARD_ORDERS).primary(),
    /** From how many rounds on an agent is on it. */
    minRounds: p.integer().primary().autoincrement(false),
    /** The newest round that it counts: the seed of its rank intervals. */
    roundId: p.integer(),
    /** How many rounds were resolved: which state of the boards it shows. */
    resolvedRounds: p.integer(),
    /** When the newest of them was. */
    updatedAt: p.datetime(3),
    /** The first 300 of them, in order. */
    places: p.json<readonly OrderedPlace[]>(),
    /** By agent's id, of the first 100 of a board at its order's usual number of rounds. */
    surePlaces: p.json<Readonly<Record<string, RankInterval>>>(),
  },
});
