import { DEFAULT_MIN_ROUNDS } from '../../rules/board-orders.ts';
import type { PlacesFragment } from '../documents/board.ts';

/** What is shown of a board that was asked for, and of the newest board by points that came by itself. */
export function shownBoard(answered: PlacesFragment, newest: PlacesFragment | null): PlacesFragment {
  const isByPoints = answered.orderBy === 'POINTS' && answered.minRounds === DEFAULT_MIN_ROUNDS.POINTS;
  return isByPoints && newest !== null && newest.updatedAt > answered.updatedAt ? newest : answered;
}

/**
 * Whether a board that was asked for is to be asked for again: a round was resolved since, or how sure its ranks are is
 * not worked out yet. Of other numbers of rounds than the usual that is never said.
 */
export function isBehind(answered: PlacesFragment, newest: PlacesFragment): boolean {
  if (answered.updatedAt < newest.updatedAt) return true;
  const isUsual = answered.minRounds === DEFAULT_MIN_ROUNDS[answered.orderBy];
  return isUsual && answered.rankings.length > 0 && answered.rankings.every(({ rankInterval }) => rankInterval == null);
}
