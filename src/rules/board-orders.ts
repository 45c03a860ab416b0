import type { Period } from './windows.ts';

export const BOARD_ORDERS = ['POINTS', 'EDGE', 'SKILL', 'PNL', 'PEER', 'CONTRIBUTION', 'ARENA'] as const;

export type BoardOrder = (typeof BOARD_ORDERS)[number];

/** What is ordered by unless something else is asked for. */
export const DEFAULT_ORDER: BoardOrder = 'POINTS';

/**
 * From how many rounds on an agent is listed unless something else is asked for: sums need none, while the mean of a few
 * rounds is mostly luck.
 */
export const DEFAULT_MIN_ROUNDS: Readonly<Record<BoardOrder, number>> = {
  POINTS: 0,
  EDGE: 20,
  SKILL: 20,
  PNL: 0,
  PEER: 0,
  CONTRIBUTION: 0,
  ARENA: 20,
};

/** The numbers of rounds that boards are kept for, ascending. Skill is said of nobody with fewer than 20. */
export const KEPT_MIN_ROUNDS: Readonly<Record<BoardOrder, readonly [number, ...number[]]>> = {
  POINTS: [0, 20, 100],
  EDGE: [0, 20, 100],
  SKILL: [20, 100],
  PNL: [0, 20, 100],
  PEER: [0, 20, 100],
  CONTRIBUTION: [0, 20, 100],
  ARENA: [0, 20, 100],
};

export interface KeptBoard {
  readonly period: Period;
  readonly orderBy: BoardOrder;
  readonly minRounds: number;
}

/**
 * The kept board from which one from `minRounds` rounds on is read: its places are in the same order, and none of those
 * who stand above a place of it is missing.
 */
export function keptMinRounds(orderBy: BoardOrder, minRounds: number): number {
  const [lowest, ...higher] = KEPT_MIN_ROUNDS[orderBy];
  return higher.findLast((kept) => kept <= minRounds) ?? lowest;
}

/** How many of the places of a board have a rank interval: as many as are shown at the most. */
export const INTERVAL_PLACES = 100;

/** A window of more resolved rounds than these has no rank intervals: their cost grows with it. It can only be `alltime`. */
export const INTERVAL_ROUNDS = 1000;

/** Places of a part of a board, whose ranks count those left out as well, with their ranks among themselves; those who shared a rank still do. */
export function rankedAmong<Place extends { readonly rank: number }>(places: readonly Place[]): readonly Place[] {
  let [rank, before] = [0, 0];
  return places.map((place, index) => {
    if (place.rank !== before) [rank, before] = [index + 1, place.rank];
    return { ...place, rank };
  });
}
