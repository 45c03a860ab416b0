import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import type { Tier } from '../rules/tiers.ts';
import { winRatePct } from '../rules/win-rate.ts';
import type { Period } from '../rules/windows.ts';
import { pageSize } from './argument.ts';
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
  leaderboard: (_root, { period, limit }, context) =>
    boardOf(context.em, period ?? 'weekly', pageSize('limit', limit, PAGE_SIZES.leaderboard)),
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

type BoardRow = RankedStanding & { readonly updatedAt: Date; readonly place: number | null };

/** The first rows of a window's board: by points, then wins, then lower id; equal points share a rank. */
export async function boardOf(em: SqlEntityManager, period: Period, limit: number): Promise<Board> {
  const sum = (name: string) => sql.ref(`s.${period}_${name}`);
  const { rows } = await sql<BoardRow>`
    select p.boards_updated_at as "updatedAt", b.position as place, b.rank, b.agent_id as "agentId", a.name,
      ${sum('points')} as points, ${sum('arena_points')} as "arenaPoints", ${sum('wins')} as wins,
      ${sum('competitions')} as competitions, ${sum('pnl_usd')} as "pnlUsd", s.current_streak as "currentStreak",
      s.best_streak as "bestStreak", s.tier
    from platform p
    left join (board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = b.agent_id)
      on b.period = ${period} and b.position <= ${limit}
    where p.id = 1
    order by b.position`.execute(em.getKysely());
  const [first] = rows;
  if (first === undefined) throw new Error('The platform row is missing');
  return { period, updatedAt: first.updatedAt, rankings: rows.filter(({ place }) => place !== null) };
}
