import type { PageAnswers } from '../../../src/pages/first-answers.ts';

/** The answers of a page that shows the board with one agent on it. */
export function boardOf(name: string, { orderBy, value }: { orderBy: 'EDGE' | 'PNL'; value: number }): PageAnswers {
  const row = {
    name,
    agent: { id: 1 },
    n: 30,
    winRate: 50,
    totalPoints: 3,
    edge: null,
    totalArenaPoints: 0,
    currentStreak: 0,
  };
  const more = { simPnlTotal: 0, credentialTier: 'bronze', bestStreak: 0, rank: 100, recentPoints: [] } as const;
  const sure = { value, interval: null, rankInterval: null, tiedWithAbove: null, rankChange: null, medianMinute: null };
  const board = {
    period: 'weekly',
    orderBy,
    minRounds: 20,
    updatedAt: '2026-01-01T12:00:00.000Z',
    rankIntervalsAt: null,
    places: 1,
  } as const;
  return { Board: { leaderboard: { ...board, rankings: [{ ...row, ...more, ...sure }] } } };
}
