import { describe, expect, test } from '@jest/globals';

import { againstIn, routeAt } from '../../dashboard/addresses.ts';
import { boardIn, boardPath, firstOrder, hasOrder } from '../../dashboard/board-address.ts';
import { periodIn } from '../../dashboard/period-choice.ts';
import { agentsIn, agentsPath } from '../../dashboard/agents-address.ts';
import { filtersIn, roundsPath } from '../../dashboard/round-filters.ts';

describe('addresses', () => {
  test.each([
    ['/', 'now', 0],
    ['/rounds', 'rounds', 0],
    ['/rounds/17', 'round', 17],
    ['/agents', 'agents', 0],
    ['/agents/2147483647', 'agent', 2_147_483_647],
    ['/leaderboard', 'boards', 0],
    ['/forecast', 'forecast', 0],
    ['/join', 'join', 0],
    ['/me', 'me', 0],
    ['/archive', 'archive', 0],
    ['/models', 'models', 0],
    ['/embed/round', 'embedRound', 0],
    ['/embed/agent/7', 'embedAgent', 7],
  ])('the address %s shows %s', (path, page, id) => {
    expect(routeAt(path, '?a=b')).toEqual({ page, id, search: '?a=b' });
  });

  test.each([
    '/agents/',
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
  ])('the address %s is not one of the page', (path) => {
    expect(routeAt(path)).toBeNull();
  });

  test('an address has window and order of the board, by default the week by points', () => {
    const usual = { period: 'weekly', orderBy: 'POINTS', minRounds: null, after: 0 };
    for (const search of ['', '?period=x&order_by=peer&min_rounds=7&after=-1', '?order_by=constructor&after=x'])
      expect(boardIn(search)).toEqual(usual);
    for (const search of ['?period=alltime&order_by=pnl&min_rounds=100', '?period=alltime&by=pnl&min=100'])
      expect(boardIn(search)).toEqual({ period: 'alltime', orderBy: 'PNL', minRounds: 100, after: 0 });
  });

  test('the first page’s board is by edge once ten agents have 20 rounds, unless its address has an order', () => {
    for (const [places, order] of [
      [9, 'POINTS'],
      [10, 'EDGE'],
    ] as const) {
      const usual = firstOrder({ leaderboard: { places } });
      expect([boardIn('', usual).orderBy, boardIn('?order_by=skill', usual).orderBy]).toEqual([order, 'SKILL']);
    }
    expect([firstOrder(null), hasOrder('?period=daily'), hasOrder('?by=edge')]).toEqual(['POINTS', false, true]);
  });

  test('an address of agents has the beginning of a name and the page', () => {
    for (const search of ['', '?name=%20'])
      expect(agentsIn(search)).toEqual({ nameStartsWith: null, orderBy: 'POINTS', after: null });
    const path = agentsPath(agentsIn('?name=a%26b'), 'W10');
    expect(path).toBe('/agents?name=a%26b&after=W10');
    expect(agentsIn(path.slice('/agents'.length))).toEqual({ nameStartsWith: 'a&b', orderBy: 'NAME', after: 'W10' });
    expect(agentsPath(agentsIn(''), 'W10')).toBe('/agents?after=W10');
  });

  test('an address has the window of the record, by default all time', () => {
    expect(['?period=daily', '?period=x', ''].map((search) => periodIn(search, 'alltime'))).toEqual([
      'daily',
      'alltime',
      'alltime',
    ]);
  });

  test('an address of another board keeps its other parameters', () => {
    const board = { period: 'daily', orderBy: 'EDGE', minRounds: 20, after: 0 } as const;
    const path = boardPath('/leaderboard', '?archive=week&min=100&after=200', board);
    expect(path).toBe('/leaderboard?archive=week&period=daily&order_by=edge&min_rounds=20');
    expect(boardIn(new URL(path, 'http://localhost').search)).toEqual(board);
    expect(boardIn(boardPath('', '', board, 100)).after).toBe(100);
    expect(boardPath('/', '?min=100', { ...board, minRounds: null })).toBe('/?period=daily&order_by=edge');
  });

  test('a period in the address gives its frozen board', () => {
    expect(routeAt('/leaderboard/2026-W47')).toEqual({ page: 'frozen', id: 0, search: '', period: '2026-W47' });
    expect(routeAt('/leaderboard/first')).toBeNull();
  });

  test('an address has the agent to compare with, or none', () => {
    expect(['?against=7', '?against=0', '?against=x', ''].map(againstIn)).toEqual([7, null, null, null]);
  });

  test('an address has the filters of rounds, and ignores misspelt ones', () => {
    const filters = { status: 'void', questionType: 'touch', asset: 'SOL' } as const;
    expect(filtersIn(new URL(roundsPath(filters), 'http://localhost').search)).toEqual(filters);
    expect(filtersIn('?status=open&type=touch&asset=sol')).toEqual({ questionType: 'touch' });
    expect(roundsPath({})).toBe('/rounds');
  });
});
