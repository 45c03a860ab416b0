import { z } from 'zod';

import { type Period, PERIODS } from '../../rules/windows.ts';
import { BOARD_ROWS } from './agent-figures.ts';
import { RECORD, RECORD_READ } from './forecast-record.ts';
import { INSTANT } from '../published/instants.ts';
import { readKindBoards } from './kind-boards.ts';
import { allNodes, type ServiceClient } from '../published/service-client.ts';

const FIGURES = z.record(z.string(), z.unknown());
const AGENT = z.intersection(
  z.object({ id: z.int(), name: z.string(), daily: FIGURES, weekly: FIGURES, monthly: FIGURES, alltime: FIGURES }),
  FIGURES,
);
const BOARD = z.object({
  updated_at: INSTANT,
  rankings: z.array(z.intersection(z.object({ name: z.string() }), FIGURES)),
});
const STATS = z.intersection(z.object({ credential_holders: FIGURES }), FIGURES);

export type PublishedAgent = z.infer<typeof AGENT>;
export type PresentState = NonNullable<Awaited<ReturnType<typeof readPresentState>>>;

const STANDING = `{ rank totalPoints totalArenaPoints totalCompetitions totalWins winRate simPnlTotal
  brier referenceBrier skill edge { mean low high n } arenaEdge { mean low high n } }`;

const AGENTS = `query ($after: String) {
  page: agents(first: 100, after: $after, orderBy: POINTS) {
    nodes { id name totalPoints totalArenaPoints totalCompetitions totalWins winRate simPnlTotal simPnl30d
      currentStreak bestStreak credentialTier
      ${PERIODS.map((period) => `${period}: standing(period: ${period}) ${STANDING}`).join('\n      ')} }
    pageInfo { hasNextPage endCursor } } }`;

const RECORDS = `{ ${PERIODS.map((period) => `${period}: forecastRecord(period: ${period}) ${RECORD}`).join('\n')} }`;

/** Null if a round was resolved meanwhile, so that the answers do not match. */
export async function readPresentState(client: ServiceClient) {
  const daily = await readBoard(client, 'daily');
  const weekly = await readBoard(client, 'weekly');
  const monthly = await readBoard(client, 'monthly');
  const agents = await allNodes(client, [AGENTS, {}], AGENT);
  const stats = await client.json('/api/stats', STATS);
  const forecasts = await client.query(RECORDS, {}, z.record(z.enum(PERIODS), RECORD_READ));
  const kindBoards = await readKindBoards(client);
  const alltime = await readBoard(client, 'alltime');
  // All other reads lie between the first and the last board. If both show one state, all reads do.
  if (daily.updated_at.getTime() !== alltime.updated_at.getTime()) return null;
  const boards = { daily, weekly, monthly, alltime };
  // The boards were made at the newest resolution.
  return { updatedAt: daily.updated_at, agents, boards, stats, forecasts, kindBoards };
}

function readBoard(client: ServiceClient, period: Period) {
  return client.json(`/api/leaderboard?period=${period}&limit=${BOARD_ROWS}`, BOARD);
}
