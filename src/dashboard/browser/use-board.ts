import { useEffect, useRef, useState } from 'preact/hooks';

import type { ShownBoard } from '../board-address.ts';
import { Board, type BoardQuery, BoardNow, type PlacesFragment } from '../documents/board.ts';
import { type Answered, useAnswer, useLive } from './answers.ts';
import { chance } from './machine.ts';
import { isBehind, shownBoard } from './newer-board.ts';

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
