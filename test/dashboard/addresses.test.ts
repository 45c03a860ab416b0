import { describe, expect, test } from '@jest/globals';

import { againstIn, routeAt } from '../../dashboard/addresses.ts';
import { boardIn, boardPath, periodIn } from '../../dashboard/board-address.ts';
import { filtersIn, roundsPath } from '../../dashboard/round-filters.ts';

describe('an address', () => {
  test.each([
    ['/', 'now', 0],
    ['/rounds', 'rounds', 0],
    ['/rounds/17', 'round', 17],
    ['/agents/2147483647', 'agent', 2_147_483_647],
    ['/leaderboard', 'boards', 0],
    ['/forecast', 'forecast', 0],
    ['/join', 'join', 0],
    ['/me', 'me', 0],
    ['/archive', 'archive', 0],
    ['/embed/round', 'embedRound', 0],
    ['/embed/agent/7', 'embedAgent', 7],
  ])('%s shows %s', (path, page, id) => {
    expect(routeAt(path, '?a=b')).toEqual({ page, id, search: '?a=b' });
  });

  test.each([
    '/agents',
    '/rounds/0',
    '/rounds/x',
    '/rounds/1/2',
    '/agents/2147483648',
    '/api/stats',
    '/toString',
    '/join/1',
    '/embed',
    '/embed/agent/x',
    '/embed/agent/7/8',
  ])('%s is none of the page', (path) => {
    expect(routeAt(path)).toBeNull();
  });

  test('names the window and the order of the board, which is the week by points otherwise', () => {
    const usual = { period: 'weekly', orderBy: 'POINTS', minRounds: null };
    expect(['', '?period=x&order_by=peer&min_rounds=7', '?order_by=constructor'].map(boardIn)).toEqual([
      usual,
      usual,
      usual,
    ]);
    for (const search of ['?period=alltime&order_by=pnl&min_rounds=100', '?period=alltime&by=pnl&min=100'])
      expect(boardIn(search)).toEqual({ period: 'alltime', orderBy: 'PNL', minRounds: 100 });
  });

  test('names the window of the record, which is all time otherwise', () => {
    expect(['?period=daily', '?period=x', ''].map((search) => periodIn(search, 'alltime'))).toEqual([
      'daily',
      'alltime',
      'alltime',
    ]);
  });

  test('of another board keeps what else it asks for', () => {
    const board = { period: 'daily', orderBy: 'EDGE', minRounds: 20 } as const;
    const path = boardPath('/leaderboard', '?archive=week&min=100', board);
    expect(path).toBe('/leaderboard?archive=week&period=daily&order_by=edge&min_rounds=20');
    expect(boardIn(new URL(path, 'http://localhost').search)).toEqual(board);
    expect(boardPath('/', '?min=100', { ...board, minRounds: null })).toBe('/?period=daily&order_by=edge');
  });

  test('of a frozen board is that of its period', () => {
    expect(routeAt('/leaderboard/2026-W47')).toEqual({ page: 'frozen', id: 0, search: '', period: '2026-W47' });
    expect(routeAt('/leaderboard/first')).toBeNull();
  });

  test('names the agent to compare with, or none', () => {
    expect(['?against=7', '?against=0', '?against=x', ''].map(againstIn)).toEqual([7, null, null, null]);
  });

  test('holds the filters of the list of rounds, without what is misspelt', () => {
    const filters = { status: 'void', questionType: 'touch', asset: 'SOL' } as const;
    expect(filtersIn(new URL(roundsPath(filters), 'http://localhost').search)).toEqual(filters);
    expect(filtersIn('?status=open&type=touch&asset=sol')).toEqual({ questionType: 'touch' });
    expect(roundsPath({})).toBe('/rounds');
  });
});
