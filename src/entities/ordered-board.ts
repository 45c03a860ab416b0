import { defineEntity, p } from '@mikro-orm/core';

import { BOARD_ORDERS, type KeptBoard } from '../rules/board-orders.ts';
import { PERIODS } from '../rules/windows.ts';

/** A place of a kept board with all figures that it shows, but the present streaks and tier. */
export interface OrderedPlace {
  /** From 1; equal figures share one. */
  readonly rank: number;
  readonly agentId: number;
  readonly points: number;
  readonly arenaPoints: number;
  readonly wins: number;
  readonly competitions: number;
  readonly pnlUsd: string;
  /** What the board is ordered by. */
  readonly value: number;
  /** Its 95 % interval. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** How sure a place is. */
export interface RankCertainty {
  readonly low: number;
  readonly high: number;
  readonly tied: boolean;
}

/**
 * The first places of a window's board in one order, worked out after a resolution: one row, so that no part of it is
 * ever read with a part of another state.
 */
const OrderedBoardSchema = defineEntity({
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
    surePlaces: p.json<Readonly<Record<string, RankCertainty>>>(),
  },
});

export class OrderedBoard extends OrderedBoardSchema.class {}
OrderedBoardSchema.setClass(OrderedBoard);

/** The first of a board, those who are not shown included, and where they end. */
export interface Candidates extends KeptBoard {
  /** In order. */
  readonly agents: readonly number[];
  /** Everybody on the board who stands there or above is among them; null: they are all that there are. */
  readonly floor: BoardFloor | null;
}

/** A place of a board. */
export interface BoardFloor {
  /** What the board is ordered by, exact, as the database writes it. */
  readonly key: string;
  readonly wins: number;
  readonly agentId: number;
}

/** So many of each board are known, of which half are kept as places: who falls is replaced without a look at everybody. */
export const CANDIDATES = 600;

/**
 * What boards in every order are made from without a look at everybody: of one state of the platform, one row. Written
 * with `ordered_boards`, and of no use to who made those alone.
 */
const BoardCandidatesSchema = defineEntity({
  name: 'BoardCandidates',
  tableName: 'board_candidates',
  properties: {
    id: p.smallint().primary().autoincrement(false),
    /** How many rounds were resolved, when the newest of them was, and the latest end of one. */
    resolvedRounds: p.integer(),
    updatedAt: p.datetime(3),
    newestEnd: p.datetime(0),
    boards: p.json<readonly Candidates[]>(),
    /** Agents with enough rounds to be tested for skill. */
    tested: p.integer(),
    /** Those of them who might be named, with their chances (rules/statistics/means.ts). */
    likely: p.json<readonly (readonly [agentId: number, chance: number])[]>(),
  },
  checks: [{ name: 'board_candidates_one_row_check', expression: 'id = 1' }],
});

export class BoardCandidates extends BoardCandidatesSchema.class {}
BoardCandidatesSchema.setClass(BoardCandidates);
