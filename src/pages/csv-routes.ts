import { Router } from 'express';

import { csvCell, csvLine } from '../export/formats.ts';
import { REVALIDATED } from '../http/cache-headers.ts';
import { sendText } from '../http/compression.ts';
import { searchOf } from '../http/parameters.ts';
import { SECOND } from '../rules/hours.ts';
import { periodNamed } from '../rules/windows.ts';
import type { BoardQuery } from '../../dashboard/documents/board.ts';
import { idIn } from '../../dashboard/addresses.ts';
import { type AnswerFirst, dataOf, foundOrUnavailable } from './first-answers.ts';

/** The rows of a page as CSV: its path with `.csv`. Exports have those of rounds and of frozen boards. */
export function csvRoutes(answer: AnswerFirst): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/leaderboard.csv', async (request, response) => {
    const route = { page: 'boards', id: 0, search: searchOf(request) } as const;
    const { Board } = dataOf(await answer(request, route, { limit: 'graphqlRequest', endpoint: 'a board' }));
    const { leaderboard } = foundOrUnavailable(Board, 'board');
    response.set(REVALIDATED).type('text/csv');
    await sendText(response, Buffer.from(boardCsv(leaderboard)));
  });
  router.get('/rounds/:id.csv', (request, response, next) => {
    const id = idIn(request.params.id);
    if (id === null) return next();
    return response.redirect(302, `/api/export/predictions.csv?round_id=${id}`);
  });
  router.get('/leaderboard/:period.csv', (request, response, next) => {
    const period = periodNamed(request.params.period);
    if (period === null) return next();
    const { kind, start } = period;
    const query = { kind, from: start.toISOString(), to: new Date(start.getTime() + SECOND).toISOString() };
    return response.redirect(302, `/api/export/archives.csv?${new URLSearchParams(query).toString()}`);
  });
  return router;
}

type Board = BoardQuery['leaderboard'];

const COLUMNS: Readonly<Record<string, (row: Board['rankings'][number], board: Board) => string | number | null>> = {
  as_of: (_, { updatedAt }) => updatedAt,
  period: (_, { period }) => period,
  order_by: (_, { orderBy }) => orderBy.toLowerCase(),
  rank: ({ rank }) => rank,
  agent_id: ({ agent }) => agent.id,
  agent_name: ({ name }) => name,
  value: ({ value }) => value,
  value_low: ({ interval }) => interval?.low ?? null,
  value_high: ({ interval }) => interval?.high ?? null,
  rounds: ({ n }) => n,
  win_rate: ({ winRate }) => winRate,
  total_points: ({ totalPoints }) => totalPoints,
  arena_points: ({ totalArenaPoints }) => totalArenaPoints,
  sim_pnl_usd: ({ simPnlTotal }) => simPnlTotal,
  tier: ({ credentialTier }) => credentialTier,
};

function boardCsv(board: Board): string {
  const lines = board.rankings.map((row) => Object.values(COLUMNS).map((of) => csvCell(of(row, board))));
  return [Object.keys(COLUMNS), ...lines].map(csvLine).join('');
}
