import { defineEntity, p } from '@mikro-orm/postgresql';

import { BOARD_ORDERS } from '../rules/board-orders.ts';
import type { ChanceSums, WindowSums } from '../rules/board-value.ts';
import type { RankInterval } from '../rules/statistics/rank-intervals.ts';
import type { PlacedSums } from './archive.ts';
import { PERIODS } from '../rules/windows.ts';

/** A row of a stored board with all its figures except the present streaks and tier. */
export interface OrderedPlace extends PlacedSums {
  /** The rounds that count toward the board's minimum; unset on a board of an earlier version. */
  readonly counted?: number;
  /** The inputs of edge and luck; unset on a board of an earlier version. */
  readonly extendedSums?: WindowSums['extendedSums'] & ChanceSums;
  /** The value that orders the board. */
  readonly value: number;
  /** Its 95 % interval. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/**
 * The first places of a window's board in one order, written after a resolution: one row, so that reads never mix two
 * states.
 */
export const OrderedBoard = defineEntity({
  name: 'OrderedBoard',
  tableName: 'ordered_boards',
  properties: {
    period: p.enum(PERIODS).primary(),
    orderBy: p.enum(BOARD_ORDERS).primary(),
    /** The board's minimum of rounds. */
    minRounds: p.integer().primary().autoincrement(false),
    /** The newest round in it, which is the seed of its rank intervals. */
    roundId: p.integer(),
    /** The number of resolved rounds, which identifies the state of the board. */
    resolvedRounds: p.integer(),
    /** The time of the newest resolution or amendment. */
    updatedAt: p.datetime(3),
    /** The number of agents on the whole board; null if written by a version without it. */
    total: p.integer().nullable(),
    /** The first 300, in order. */
    places: p.json<readonly OrderedPlace[]>(),
    /** Rank intervals by agent id, of the first 100 at the order's usual number of rounds. */
    surePlaces: p.json<Readonly<Record<string, RankInterval>>>(),
  },
});
