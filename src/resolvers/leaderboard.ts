import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import type { Tier } from '../rules/tiers.ts';
import { winRatePct } from '../rules/win-rate.ts';
import type { Period } from '../rules/windows.ts';
import { pageSize } from './argument.ts';
import { platformRow } from './platform-row.ts';
import type { LeaderboardRowResolvers, QueryResolvers } from './schema-types.ts';

export interface Board {
  readonly period: Period;
  readonly updatedAt: Date;
  readonly rankings: readonly RankedStanding[];
}

/** An agent's sums in a window with its rank there; streaks and tier are the present ones. */
export interface RankedStanding {
  readonly rank: number;
  readonly agentId: number;
  readonly name: string;
  readonly points: number;
  readonly arenaPoints: number;
  readonly wins: number;
  readonly competitions: number;
  readonly pnlUsd: string;
  readonly currentStreak: number;
  readonly bestStreak: number;
  readonly tier: Tier;
}

export const leaderboardQueries = {
  async leaderboard(_root, { period, limit }, context) {
    const rows = pageSize('limit', limit, PAGE_SIZES.leaderboard);
    const { boardsUpdatedAt } = await platformRow(context.em);
    return {
      period: period ?? 'weekly',
      updatedAt: boardsUpdatedAt,
      rankings: await firstOf(context.em, period ?? 'weekly', rows),
    };
  },
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

/** The first rows of a window's board: by points, then wins, then lower id; equal points share a rank. */
export async function firstOf(em: SqlEntityManager, period: Period, limit: number): Promise<readonly RankedStanding[]> {
  const sum = (name: string) => sql.ref(`s.${period}_${name}`);
  const { rows } = await sql<RankedStanding>`
    select b.rank, b.agent_id as "agentId", a.name, ${sum('points')} as points, ${sum('arena_points')} as "arenaPoints",
      ${sum('wins')} as wins, ${sum('competitions')} as competitions, ${sum('pnl_usd')} as "pnlUsd",
      s.current_streak as "currentStreak", s.best_streak as "bestStreak", s.tier
    from board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = b.agent_id
    where b.period = ${period} and b.position <= ${limit}
    order by b.position`.execute(em.getKysely());
  return rows;
}
