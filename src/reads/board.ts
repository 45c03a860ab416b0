import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Tier } from '../rules/tiers.ts';
import type { Period } from '../rules/windows.ts';
import { rows } from './sql.ts';

/** The first rows of a window's board. */
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

type BoardRow = RankedStanding & { readonly updatedAt: Date; readonly place: number | null };

/** The first rows of a window's board: by points, then wins, then lower id; equal points share a rank. */
export async function boardOf(em: SqlEntityManager, period: Period, limit: number): Promise<Board> {
  const sum = (name: string) => sql.ref(`s.${period}_${name}`);
  const found = await rows<BoardRow>(em)`
    select p.boards_updated_at as "updatedAt", b.position as place, b.rank, b.agent_id as "agentId", a.name,
      ${sum('points')} as points, ${sum('arena_points')} as "arenaPoints", ${sum('wins')} as wins,
      ${sum('competitions')} as competitions, ${sum('pnl_usd')} as "pnlUsd", s.current_streak as "currentStreak",
      s.best_streak as "bestStreak", s.tier
    from platform p
    left join (board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = b.agent_id)
      on b.period = ${period} and b.position <= ${limit}
    where p.id = 1
    order by b.position`;
  const [first] = found;
  if (first === undefined) throw new Error('The platform row is missing');
  return { period, updatedAt: first.updatedAt, rankings: found.filter(({ place }) => place !== null) };
}

/** Each agent's rank on a window's whole board; null for those who are not on it. */
export async function ranksOf(
  em: SqlEntityManager,
  { period }: { readonly period: Period },
  agents: readonly number[],
): Promise<readonly (number | null)[]> {
  const found = await rows<{ agentId: number; rank: number }>(em)`
    select s.agent_id as "agentId", b.rank
    from standings s join board_ranks b on b.period = ${period} and b.points = ${sql.ref(`s.${period}_points`)}
    where s.agent_id = any(${[...agents]}) and ${sql.ref(`s.${period}_competitions`)} > 0`;
  const ranks = new Map(found.map(({ agentId, rank }) => [agentId, rank]));
  return agents.map((agent) => ranks.get(agent) ?? null);
}
