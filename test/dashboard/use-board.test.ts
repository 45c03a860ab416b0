import { expect, test } from '@jest/globals';

import { isBehind, shownBoard } from '../../dashboard/use-board.ts';
import type { PlacesFragment } from '../../dashboard/documents/board.ts';

const EARLIER = '2026-01-01T12:00:00.000Z';
const LATER = '2026-01-01T13:00:00.000Z';

function board(settings: Partial<PlacesFragment> = {}, rankInterval: { low: number; high: number } | null = null) {
  const agent = {
    rank: 1,
    name: 'a',
    agent: { id: 1 },
    value: 3,
    interval: null,
    rankInterval,
    tiedWithAbove: null,
    rankChange: null,
  };
  const sums = {
    n: 1,
    winRate: 100,
    totalPoints: 3,
    totalArenaPoints: 0,
    edge: null,
    medianMinute: null,
    simPnlTotal: 0,
  };
  const row = {
    ...agent,
    ...sums,
    credentialTier: 'bronze',
    currentStreak: 1,
    bestStreak: 1,
    recentPoints: [],
  } as const;
  return {
    period: 'weekly',
    orderBy: 'POINTS',
    minRounds: 0,
    updatedAt: EARLIER,
    rankIntervalsAt: rankInterval && EARLIER,
    places: 1,
    rankings: [row],
    ...settings,
  } as const;
}
const SURE = { low: 1, high: 2 };

test('a pushed board by points is shown if it is newer', () => {
  const answered = board({}, SURE);
  const newer = board({ updatedAt: LATER });
  expect(shownBoard(answered, newer)).toBe(newer);
  expect(shownBoard(answered, board())).toBe(answered);
  expect(shownBoard(answered, null)).toBe(answered);
});

test('a board in another order or minimum of rounds is shown as answered', () => {
  const newer = board({ updatedAt: LATER });
  for (const settings of [{ orderBy: 'EDGE', minRounds: 20 }, { minRounds: 20 }] as const) {
    const answered = board(settings);
    expect(shownBoard(answered, newer)).toBe(answered);
  }
});

test('a board is requested again after a resolution until it has rank intervals', () => {
  expect(isBehind(board({ orderBy: 'PNL' }, SURE), board({ updatedAt: LATER }))).toBe(true);
  expect(isBehind(board({ orderBy: 'PNL' }, SURE), board())).toBe(false);
  expect(isBehind(board(), board())).toBe(true);
  expect(isBehind(board({ updatedAt: LATER }, SURE), board({ updatedAt: LATER }))).toBe(true);
  expect(isBehind(board({ rankings: [] }), board())).toBe(false);
  // Of other numbers of rounds than the usual that is never said.
  expect(isBehind(board({ minRounds: 20 }), board())).toBe(false);
});
