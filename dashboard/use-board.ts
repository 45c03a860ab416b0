import { useEffect, useRef, useState } from 'preact/hooks';

import { DEFAULT_MIN_ROUNDS } from '../src/rules/board-orders.ts';
import type { ShownBoard } from './board-address.ts';
import { Board, BoardNow, type BoardQuery, type PlacesFragment } from './documents/board.ts';
import { type Answered, useAnswer, useLive } from './answers.ts';
import { chance } from './machine.ts';

/** Boards in other orders, and how sure ranks are, are made some seconds after a resolution; everybody asks at another moment. */
const AGAIN_MS = 2_000;
/** In a window of more than 1,000 rounds ranks have no interval, however often one asks. */
const MOST_TRIES = 5;

interface BoardAnswered extends Omit<Answered<BoardQuery>, 'data'> {
  readonly board: PlacesFragment | null;
}

/** The board that is asked for, as it changes: by points it comes by itself, in other orders it is asked for again. */
export function useBoard(asked: ShownBoard, limit: number): BoardAnswered {
  const { period, orderBy, minRounds } = asked;
  const { data, ...answered } = useAnswer(Board, { period, orderBy, minRounds, limit });
  const [pushed, setPushed] = useState<PlacesFragment | null>(null);
  const shown = orderBy === 'POINTS' && minRounds === null ? limit : 1;
  useLive(BoardNow, { period, limit: shown }, ({ leaderboardUpdated }) => setPushed(leaderboardUpdated));
  const newest = pushed?.period === period ? pushed : null;
  const answer = data?.leaderboard ?? null;
  useAgain(answer, newest, answered.refresh);
  return { ...answered, board: answer && shownBoard(answer, newest) };
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

/** What is shown of a board that was asked for, and of the newest board by points that came by itself. */
export function shownBoard(answered: PlacesFragment, newest: PlacesFragment | null): PlacesFragment {
  const isByPoints = answered.orderBy === 'POINTS' && answered.minRounds === DEFAULT_MIN_ROUNDS.POINTS;
  return isByPoints && newest !== null && newest.updatedAt > answered.updatedAt ? newest : answered;
}

/** Whether the rank intervals are of a round before the newest that the board shows, or not there yet. */
export function isUnsure({ rankIntervalsAt, updatedAt }: PlacesFragment): boolean {
  return rankIntervalsAt == null || rankIntervalsAt < updatedAt;
}

/**
 * Whether a board that was asked for is to be asked for again: a round was resolved since, or how sure its ranks are is
 * not worked out yet. Of other numbers of rounds than the usual that is never said.
 */
export function isBehind(answered: PlacesFragment, newest: PlacesFragment): boolean {
  if (answered.updatedAt < newest.updatedAt) return true;
  const isUsual = answered.minRounds === DEFAULT_MIN_ROUNDS[answered.orderBy];
  return isUsual && answered.rankings.length > 0 && isUnsure(answered);
}
