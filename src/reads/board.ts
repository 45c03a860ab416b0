import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { RANK_LEVELS } from '../entities/boards.ts';
import type { OrderedPlace, RankCertainty } from '../entities/ordered-board.ts';
import type { BoardValue } from '../rules/board-value.ts';
import {
  type BoardOrder,
  DEFAULT_MIN_ROUNDS,
  DEFAULT_ORDER,
  type KeptBoard,
  keptMinRounds,
  rankedAmong,
} from '../rules/board-orders.ts';
import type { Tier } from '../rules/tiers.ts';
import type { Period } from '../rules/windows.ts';
import { rows } from './sql.ts';

/** The first rows of a window's board. */
export interface Board {
  readonly period: Period;
  readonly orderBy: BoardOrder;
  readonly minRounds: number;
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
  /** Of a board by points as resolution left it, whose figure is the points themselves. */
  readonly pointsSquares?: number;
  /** Of a board that was made after it. */
  readonly value?: BoardValue['value'];
  readonly counted?: number;
  readonly interval?: BoardValue['interval'];
  /** Null where the place has no rank interval, or none yet. */
  readonly certainty: RankCertainty | null;
}

type BoardRow = RankedStanding & { readonly updatedAt: Date; readonly place: number | null };

/** The first rows of a window's board: by points, then wins, then lower id; equal points share a rank. */
export async function boardOf(em: SqlEntityManager, period: Period, limit: number): Promise<Board> {
  const sum = (name: string) => sql.ref(`s.${period}_${name}`);
  const found = await rows<BoardRow>(em)`
    select p.boards_updated_at as "updatedAt", b.position as place, b.rank, b.agent_id as "agentId", a.name,
      ${sum('points')} as points, ${sum('arena_points')} as "arenaPoints", ${sum('wins')} as wins,
      ${sum('competitions')} as competitions, ${sum('pnl_usd')} as "pnlUsd", s.current_streak as "currentStreak",
      s.best_streak as "bestStreak", s.tier, ${sum('points_square_sum')} as "pointsSquares",
      ${rankCertaintyOf(period, sql`b.agent_id`)} as certainty
    from platform p
    left join (board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = b.agent_id)
      on b.period = ${period} and b.position <= ${limit}
    where p.id = 1
    order by b.position`;
  const [first] = found;
  if (first === undefined) throw new Error('The platform row is missing');
  const rankings = found.filter(({ place }) => place !== null);
  return { period, orderBy: DEFAULT_ORDER, minRounds: 0, updatedAt: first.updatedAt, rankings };
}

/**
 * The rank of a standing `s` on a window's whole board, if it is on it. It is 1 and all who are counted above: at the widest
 * level the buckets above the agent's, at each narrower one those above within the wider bucket.
 */
export function rankIn(period: Period): RawBuilder<number> {
  const points = sql.ref(`s.${period}_points`);
  const above = RANK_LEVELS.map((bits, level) => {
    const wider = RANK_LEVELS[level + 1];
    const end =
      wider === undefined ? sql`` : sql`and bucket < ((${points} >> ${wider}::int) + 1) << ${wider - bits}::int`;
    return sql`coalesce((select sum(agents) from board_counts
      where period = ${period} and bits = ${bits}::smallint and bucket > ${points} >> ${bits}::int ${end}), 0)`;
  });
  return sql`(1 + ${sql.join(above, sql` + `)})::int`;
}

/** Each agent's rank on a window's whole board; null for those who are not on it. */
export async function ranksOf(
  em: SqlEntityManager,
  { period }: { readonly period: Period },
  agents: readonly number[],
): Promise<readonly (number | null)[]> {
  const found = await rows<{ agentId: number; rank: number }>(em)`
    select s.agent_id as "agentId", ${rankIn(period)} as rank
    from standings s where s.agent_id = any(${[...agents]}) and ${sql.ref(`s.${period}_competitions`)} > 0`;
  const ranks = new Map(found.map(({ agentId, rank }) => [agentId, rank]));
  return agents.map((agent) => ranks.get(agent) ?? null);
}

/**
 * How sure the place of an agent is on a window's board by points, as one value; null where it is none of the first 100, and
 * until it is worked out of the board as it is.
 */
export function rankCertaintyOf(period: Period, agentId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select o.sure_places -> (${agentId})::text from ordered_boards o join platform q
    on q.id = 1 and q.resolved_rounds = o.resolved_rounds
    where o.period = ${sql.lit(period)} and o.order_by = 'POINTS' and o.min_rounds = 0)`;
}

/** The same of several agents. */
export async function rankCertaintiesOf(
  em: SqlEntityManager,
  { period }: { readonly period: Period },
  agents: readonly number[],
): Promise<readonly (RankCertainty | null)[]> {
  const found = await rows<{ agentId: number; certainty: RankCertainty | null }>(em)`
    select a.id as "agentId", ${rankCertaintyOf(period, sql`a.id`)} as certainty from unnest(${[...agents]}::int[]) a(id)`;
  const places = new Map(found.map(({ agentId, certainty }) => [agentId, certainty]));
  return agents.map((agent) => places.get(agent) ?? null);
}

interface KeptRow {
  readonly updatedAt: Date;
  readonly place: OrderedPlace | null;
  readonly name: string;
  readonly currentStreak: number;
  readonly bestStreak: number;
  readonly tier: RankedStanding['tier'];
  readonly certainty: RankCertainty | null;
}

/**
 * The first rows of a board in another order than by points, or from more rounds on than one: as it was made after a
 * resolution, with that one's time. Fewer rows than there could be where most of those kept have fewer rounds.
 */
export async function orderedBoardOf(em: SqlEntityManager, asked: KeptBoard, limit: number): Promise<Board> {
  const { period, orderBy, minRounds } = asked;
  const kept = keptMinRounds(orderBy, minRounds);
  const certainty =
    minRounds === DEFAULT_MIN_ROUNDS[orderBy] ? sql`b.sure_places -> (x.place ->> 'agentId')` : sql`null`;
  const found = await rows<KeptRow>(em)`
    select coalesce(b.updated_at, p.boards_updated_at) as "updatedAt", x.place, a.name,
      s.current_streak as "currentStreak", s.best_streak as "bestStreak", s.tier, ${certainty} as certainty
    from platform p
    left join ordered_boards b on b.period = ${period} and b.order_by = ${orderBy} and b.min_rounds = ${kept}::int
    left join lateral (
      select place, position from jsonb_array_elements(b.places) with ordinality as of_board(place, position)
      where coalesce(place ->> 'counted', place ->> 'competitions')::int >= ${minRounds}::int order by position limit ${limit}
    ) x on true
    left join agents a on a.id = (x.place ->> 'agentId')::int
    left join standings s on s.agent_id = a.id
    where p.id = 1 order by x.position`;
  const [first] = found;
  if (first === undefined) throw new Error('The platform row is missing');
  const rankings = found.flatMap(({ place, name, currentStreak, bestStreak, tier, certainty: ranks }) =>
    place === null ? [] : [{ ...place, name, currentStreak, bestStreak, tier, certainty: ranks }],
  );
  return { ...asked, updatedAt: first.updatedAt, rankings: rankedAmong(rankings) };
}
