import { PAGE_SIZES } from '../limits.ts';
import { boardOf } from '../reads/board.ts';
import { pageSize } from '../reads/paging.ts';
import { winRatePct } from '../rules/ranking.ts';
import type { LeaderboardRowResolvers, QueryResolvers } from './schema-types.ts';

export const leaderboardQueries = {
  leaderboard: (_root, { period, limit }, context) =>
    context.read((em) => boardOf(em, period ?? 'weekly', pageSize('limit', limit, PAGE_SIZES.leaderboard))),
} satisfies QueryResolvers;

export const leaderboardRowFields = {
  agent: ({ agentId }, _args, context) => context.loaders.agent.load(agentId),
  totalPoints: ({ points }) => points,
  totalArenaPoints: ({ arenaPoints }) => arenaPoints,
  credentialTier: ({ tier }) => tier,
  simPnlTotal: ({ pnlUsd }) => Number(pnlUsd),
  winRate: ({ wins, competitions }) => winRatePct(wins, competitions),
  totalCompetitions: ({ competitions }) => competitions,
  totalWins: ({ wins }) => wins,
} satisfies LeaderboardRowResolvers;
