import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { BoardFloor, Candidates } from '../../entities/ordered-board.ts';
import { type WindowFigures, windowObject } from '../../reads/window-sums.ts';
import {
  BOARD_ORDERS,
  type BoardOrder,
  KEPT_MIN_ROUNDS,
  type KeptBoard,
  INTERVAL_ROUNDS,
} from '../../rules/board-orders.ts';
import type { RoundFigures } from '../../rules/statistics/rank-intervals.ts';
import { type Period, PERIODS } from '../../rules/windows.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { edgeOf, edgeSql } from '../standings/sum-columns.ts';

/** The state of the platform that boards show. */
export interface BoardState {
  readonly resolvedRounds: number;
  readonly updatedAt: Date;
  readonly newestEnd: Date;
  /** Whether standings have all that versions before 0.3 do not add up (standings.ts). */
  readonly areSumsKept: boolean;
}

/** The state whose boards are not made yet; null where there is none. */
export async function stateToOrder(em: SqlEntityManager): Promise<BoardState | null> {
  const { rows } = await sql<BoardState>`
    select resolved_rounds as "resolvedRounds", boards_updated_at as "updatedAt", newest_resolved_end as "newestEnd",
      coalesce(sums_kept_at = boards_updated_at, false) as "areSumsKept"
    from platform where id = 1 and resolved_rounds > coalesce(ordered_rounds, 0)`.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Whether no round was resolved since: what was read until then belongs together. */
export async function isStill(em: SqlEntityManager, { resolvedRounds }: BoardState): Promise<boolean> {
  const { rows } = await sql<{ now: number }>`
    select resolved_rounds as now from platform where id = 1`.execute(em.getKysely());
  return rows[0]?.now === resolvedRounds;
}

/** Who is on a board, in order, and on which rank; those who are not shown included. */
export interface OrderedAgents extends Candidates {
  readonly ranks: readonly number[];
}

/** What an agent's standing `s` is ordered by in a window, the higher first. */
const KEYS: Readonly<Record<BoardOrder, (period: Period) => string>> = {
  POINTS: (period) => `s.${period}_points`,
  EDGE: (period) => `s.${period}_edge_sum::float8 / s.${period}_competitions`,
  SKILL: (period) => `1 - s.${period}_brier_sum / s.${period}_reference_brier_sum`,
  PNL: (period) => `s.${period}_pnl_usd`,
  PEER: (period) => `s.${period}_peer_sum`,
  CONTRIBUTION: (period) => `s.${period}_contribution_sum`,
};

/** Of these agents alone, above the floors of these boards. */
interface Among {
  readonly boards: readonly Candidates[];
  readonly agents: readonly number[];
}

/**
 * Every kept board of these windows: by its key, then wins, then lower id; empty ones are left out. A window's standings
 * are read once for all its boards. With `among` only those of these agents, by key: a board that lacks none of the
 * others as far as it goes, which may be less far.
 */
export async function orderedAgents(
  em: SqlEntityManager,
  {
    periods,
    known,
    among,
  }: { readonly periods: readonly Period[]; readonly known: number; readonly among: Among | null },
): Promise<readonly OrderedAgents[]> {
  const from =
    among === null
      ? sql`standings s`
      : sql`unnest(${[...among.agents]}::int[]) w(agent_id) join standings s on s.agent_id = w.agent_id`;
  const windows = periods.map((period) => {
    const keys = BOARD_ORDERS.map((orderBy) => `${KEYS[orderBy](period)} as "${orderBy}"`);
    return sql`${sql.raw(period)} as materialized (select s.agent_id, ${sql.raw(`s.${period}_wins as wins, s.${period}_competitions as n,
      ${keys.join(', ')}`)} from ${from} where ${sql.raw(`s.${period}_competitions > 0`)})`;
  });
  const boards = periods.flatMap((period) =>
    BOARD_ORDERS.flatMap((orderBy) =>
      KEPT_MIN_ROUNDS[orderBy].map((minRounds) => {
        const board = { period, orderBy, minRounds };
        return boardSql(board, among?.boards.find((one) => isSameBoard(one, board))?.floor ?? null, known);
      }),
    ),
  );
  return em.transactional((transaction) =>
    withPlannerHint(transaction, among === null ? 'hashJoins' : 'keyLookups', async () => {
      const statement = sql<OrderedAgents>`with ${sql.join(windows)} ${sql.join(boards, sql` union all `)}`;
      const { rows } = await statement.execute(transaction.getKysely());
      return rows.filter(({ agents, floor }) => agents.length > 0 || floor !== null);
    }),
  );
}

function isSameBoard(one: KeptBoard, other: KeptBoard): boolean {
  return one.period === other.period && one.orderBy === other.orderBy && one.minRounds === other.minRounds;
}

/** The first `known` that are not below the floor. Where there are more, the last of them is the floor from now on. */
function boardSql(
  { period, orderBy, minRounds }: KeptBoard,
  floor: BoardFloor | null,
  known: number,
): RawBuilder<unknown> {
  const order = sql`key desc, wins desc, agent_id`;
  const key = sql`${sql.ref(orderBy)}`;
  const type = sql.raw(orderBy === 'EDGE' ? 'float8' : 'numeric');
  const above =
    floor === null
      ? sql`true`
      : sql`(${key}, wins, -agent_id) >= (${floor.key}::text::${type}, ${floor.wins}::int, ${-floor.agentId}::int)`;
  const last = sql`(array_agg(json_build_object('key', key::text, 'wins', wins, 'agentId', agent_id) order by ${order}))[${sql.lit(known)}]`;
  return sql`(select ${sql.lit(period)} as period, ${sql.lit(orderBy)} as "orderBy", ${sql.lit(minRounds)}::int as "minRounds",
    coalesce(array_agg(agent_id order by ${order}) filter (where place <= ${sql.lit(known)}), '{}') as agents,
    coalesce(array_agg(rank order by ${order}) filter (where place <= ${sql.lit(known)}), '{}') as ranks,
    case when count(*) > ${sql.lit(known)} then ${last} else ${floor === null ? null : JSON.stringify(floor)}::json end as floor
    from (select agent_id, wins, key, (rank() over (order by key desc))::int as rank, row_number() over (order by ${order}) as place
      from (select agent_id, wins, ${key} as key from ${sql.raw(period)} where n >= ${sql.lit(minRounds)} and ${above}
        order by ${order} limit ${sql.lit(known + 1)}) first) ranked)`;
}

/** The sums of these agents in every window, by agent. */
export async function sumsOf(
  em: SqlEntityManager,
  agents: readonly number[],
): Promise<ReadonlyMap<number, Readonly<Record<Period, WindowFigures>>>> {
  const windows = sql.join(PERIODS.map((period) => sql`${sql.lit(period)}, ${windowObject(period)}`));
  const { rows } = await sql<{ agentId: number; windows: Readonly<Record<Period, WindowFigures>> }>`
    select s.agent_id as "agentId", json_build_object(${windows}) as windows
    from standings s where s.agent_id = any(${[...agents]}::int[])`.execute(em.getKysely());
  return new Map(rows.map((row) => [row.agentId, row.windows]));
}

/** A resolved round of which a bootstrap draws. */
export interface DrawnRound {
  readonly id: number;
  readonly choiceCount: number;
  readonly end: Date;
  readonly decidedAt: Date;
  /** How many predicted it. */
  readonly entries: number;
}

/** The newest resolved rounds, the newest first: one more than a window may have to be drawn from. */
export async function newestRounds(em: SqlEntityManager): Promise<readonly DrawnRound[]> {
  const { rows } = await sql<DrawnRound>`
    select id, jsonb_array_length(choices) as "choiceCount", end_time as "end", decided_at as "decidedAt",
      total_entries as entries from rounds
    where status = 'resolved' order by start_time desc limit ${INTERVAL_ROUNDS + 1}`.execute(em.getKysely());
  return rows;
}

interface RoundFigure {
  /** Of a score `s` in a round `r`. */
  readonly figure: RawBuilder<unknown>;
  readonly divisor: RawBuilder<unknown> | null;
}

/** What a round adds to what a board is ordered by, in the units of the sums. */
function figureOf(orderBy: BoardOrder, rounds: readonly DrawnRound[]): RoundFigure {
  switch (orderBy) {
    case 'POINTS':
      return { figure: sql`s.score + s.streak_bonus`, divisor: null };
    case 'PNL':
      return { figure: sql`(s.pnl_usd * 100)::int`, divisor: null };
    case 'PEER':
      return { figure: sql`coalesce(s.peer_millionths, 0)`, divisor: null };
    case 'CONTRIBUTION':
      return { figure: sql`coalesce(s.contribution_billionths, 0)`, divisor: null };
    case 'EDGE': {
      const counts = [...new Set(rounds.map(({ choiceCount }) => choiceCount))];
      return { figure: edgeOf(edgeSql(counts, sql`r.choice_count`)), divisor: sql`1` };
    }
    case 'SKILL':
      return { figure: sql`s.reference_brier - s.brier`, divisor: sql`s.reference_brier` };
  }
}

/** What each of these agents did in these rounds, in the order of the agents; the places of `rounds` are theirs in that list. */
export async function roundFigures(
  em: SqlEntityManager,
  { orderBy, agents }: Pick<OrderedAgents, 'orderBy' | 'agents'>,
  rounds: readonly DrawnRound[],
): Promise<readonly RoundFigures[]> {
  const { figure, divisor } = figureOf(orderBy, rounds);
  const [ids, counts] = [rounds.map(({ id }) => id), rounds.map(({ choiceCount }) => choiceCount)];
  const figures = sql<{
    agentId: number;
    found: Record<'rounds' | 'figures', number[]> & { divisors?: number[] };
  }>`
    select s.agent_id as "agentId", json_build_object('rounds', array_agg(r.place order by r.place),
      'figures', array_agg(${figure} order by r.place)
      ${divisor === null ? sql`` : sql`, 'divisors', array_agg(${divisor} order by r.place)`}) as found
    from scores s
    join unnest(${ids}::int[], ${counts}::int[], ${ids.map((_, place) => place)}::int[]) r(id, choice_count, place)
      on r.id = s.round_id
    where s.agent_id = any(${[...agents]}::int[]) and s.round_id >= ${Math.min(...ids)}::int
      and s.round_id <= ${Math.max(...ids)}::int
    group by s.agent_id`;
  // Joined whole: each score would be compared with each round where few of these are believed to be scored.
  const { rows } = await em.transactional((transaction) =>
    withPlannerHint(transaction, 'hashJoins', () => figures.execute(transaction.getKysely())),
  );
  const byAgent = new Map(rows.map(({ agentId, found }) => [agentId, found]));
  return agents.map((agent) => {
    const found = byAgent.get(agent) ?? { rounds: [], figures: [], divisors: [] };
    return { rounds: found.rounds, figures: found.figures, divisors: divisor === null ? null : (found.divisors ?? []) };
  });
}
