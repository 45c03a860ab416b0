import type { Period } from './windows.ts';

export const BOARD_ORDERS = ['POINTS', 'EDGE', 'SKILL', 'PNL', 'PEER', 'CONTRIBUTION', 'ARENA'] as const;

export type BoardOrder = (typeof BOARD_ORDERS)[number];

export const DEFAULT_ORDER: BoardOrder = 'POINTS';

/** The default minimum of rounds: none for sums, since only the mean of a few rounds is mostly luck. */
export const DEFAULT_MIN_ROUNDS: Readonly<Record<BoardOrder, number>> = {
  POINTS: 0,
  EDGE: 20,
  SKILL: 20,
  PNL: 0,
  PEER: 0,
  CONTRIBUTION: 0,
  ARENA: 20,
};

/** The minimums of rounds for which boards are stored, ascending. Skill needs at least 20 rounds. */
export const KEPT_MIN_ROUNDS: Readonly<Record<BoardOrder, readonly [number, ...number[]]>> = {
  POINTS: [0, 20, 100],
  EDGE: [0, 20, 100],
  SKILL: [20, 100],
  PNL: [0, 20, 100],
  PEER: [0, 20, 100],
  CONTRIBUTION: [0, 20, 100],
  ARENA: [0, 20, 100],
};

export interface BoardKey {
  readonly period: Period;
  readonly orderBy: BoardOrder;
  readonly minRounds: number;
}

/** The stored board that serves `minRounds`: it has the same order and every agent with that many rounds. */
export function keptMinRounds(orderBy: BoardOrder, minRounds: number): number {
  return keptAmong(KEPT_MIN_ROUNDS[orderBy], minRounds);
}

export function keptAmong([lowest, ...higher]: readonly [number, ...number[]], minRounds: number): number {
  return higher.findLast((kept) => kept <= minRounds) ?? lowest;
}

/** Stored places of a board; later ones are sorted on request. By points the first 100 are exact, and the rest fill gaps. */
export const BOARD_RESERVE = 300;

/** The places of a board with rank intervals. */
export const INTERVAL_PLACES = 100;

/** Longer windows have no rank intervals, whose cost grows with the rounds. Only `alltime` can be longer. */
export const INTERVAL_ROUNDS = 1000;
