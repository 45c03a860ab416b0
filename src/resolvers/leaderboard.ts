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
    return { period: period ?? 'weekly', updatedAt: boardsUpdatedAt, rankings: await firstOf(context.em, period ?? 'weekly', rows) };
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
  const { rows } = await sql<RankedStanding>`
    select (rank() over (order by s.points desc))::int as rank, s.agent_id as "agentId", a.name, s.points,
      s.arena_points as "arenaPoints", s.wins, s.competitions, s.pnl_usd as "pnlUsd",
      t.current_streak as "currentStreak", t.best_streak as "bestStreak", t.tier
    from (
      select * from standings where period = ${period} order by points desc, wins desc, agent_id limit ${limit}
    ) s
    join agents a on a.id = s.agent_id
    join track_records t on t.agent_id = s.agent_id
    order by s.points desc, s.wins desc, s.agent_id`.execute(em.getKysely());
  return rows;
}
