import { useEffect, useRef, useState } from 'preact/hooks';

import { DEFAULT_MIN_ROUNDS } from '../src/rules/board-orders.ts';
import type { ShownBoard } from './board-address.ts';
import { Board, BoardNow, type PlacesFragment } from './documents/board.ts';
import { useAnswer, useLive } from './answers.ts';
import { chance } from './machine.ts';

/** Other orders and rank intervals are computed seconds after a resolution; clients query at random moments. */
const AGAIN_MS = 2_000;
/** Windows of more than 1,000 rounds have no rank intervals, however often they are queried. */
const MOST_TRIES = 5;

/** The board by points arrives by itself; other orders are queried again. */
export function useBoard(board: ShownBoard, limit: number) {
  const { period, orderBy, minRounds, after } = board;
  const { data, ...answered } = useAnswer(Board, { ...board, limit });
  const [pushed, setPushed] = useState<PlacesFragment | null>(null);
  const shown = orderBy === 'POINTS' && minRounds === null && after === 0 ? limit : 1;
  useLive(BoardNow, { period, limit: shown }, ({ leaderboardUpdated }) => setPushed(leaderboardUpdated));
  const newest = pushed?.period === period ? pushed : null;
  const answer = data?.leaderboard ?? null;
  useAgain(answer, newest, answered.refresh);
  return { ...answered, board: answer && (after > 0 ? answer : shownBoard(answer, newest)) };
}

function useAgain(answer: PlacesFragment | null, newest: PlacesFragment | null, refresh: () => void): void {
  const tries = useRef({ of: '', count: 0 });
  useEffect(() => {
    if (answer === null || newest === null || !isBehind(answer, newest)) return undefined;
    const of = `${answer.orderBy} ${answer.minRounds} ${newest.period} ${newest.updatedAt}`;
    if (tries.current.of !== of) tries.current = { of, count: 0 };
    if (tries.current.count >= MOST_TRIES) return undefined;
    const again = (): void => {
      tries.current.count += 1;
      refresh();
    };
    const timer = setTimeout(again, AGAIN_MS * (1 + chance()));
    return () => clearTimeout(timer);
  }, [answer, newest, refresh]);
}

/** Combines a queried board with the newest one by points that arrived. */
export function shownBoard(answered: PlacesFragment, newest: PlacesFragment | null): PlacesFragment {
  const isByPoints = answered.orderBy === 'POINTS' && answered.minRounds === DEFAULT_MIN_ROUNDS.POINTS;
  return isByPoints && newest !== null && newest.updatedAt > answered.updatedAt ? newest : answered;
}

/** True: the rank intervals are missing, or of an older round than the board. */
export function isUnsure({ rankIntervalsAt, updatedAt }: PlacesFragment): boolean {
  return rankIntervalsAt == null || rankIntervalsAt < updatedAt;
}

/**
 * True: the board must be queried again, after a resolution or while rank intervals are missing. Boards with another minimum of
 * rounds have none.
 */
export function isBehind(answered: PlacesFragment, newest: PlacesFragment): boolean {
  if (answered.updatedAt < newest.updatedAt) return true;
  const isUsual = answered.minRounds === DEFAULT_MIN_ROUNDS[answered.orderBy];
  return isUsual && answered.rankings.length > 0 && isUnsure(answered);
}
