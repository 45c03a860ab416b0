import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { BOARD_RESERVE } from '../../entities/boards.ts';
import { type WindowFigures, windowObject } from '../../reads/plan/standing.ts';
import {
  BOARD_ORDERS,
  type BoardOrder,
  KEPT_MIN_ROUNDS,
  type KeptBoard,
  INTERVAL_ROUNDS,
} from '../../rules/board-orders.ts';
import type { RoundFigures } from '../../rules/statistics/rank-intervals.ts';
import { type SumName, windowColumn } from '../../rules/sums.ts';
import type { Period } from '../../rules/windows.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { rows } from '../../reads/sql.ts';
import { SCORES } from '../../reads/scores.ts';

/** The state of the platform that boards show. */
export interface BoardState {
  readonly resolvedRounds: number;
  readonly updatedAt: Date;
  readonly newestEnd: Date;
}

/** The state whose boards are not made yet; null where there is none. */
export async function stateToOrder(em: SqlEntityManager): Promise<BoardState | null> {
  const [found] = await rows<BoardState>(em)`
    select resolved_rounds as "resolvedRounds", boards_updated_at as "updatedAt", newest_resolved_end as "newestEnd"
    from platform where id = 1 and resolved_rounds > coalesce(ordered_rounds, 0)`;
  return found ?? null;
}

/** Whether no round was resolved or amended since: what was read until then belongs together. */
export async function isStill(em: SqlEntityManager, { updatedAt }: BoardState): Promise<boolean> {
  const found = await rows(em)`select id from platform where id = 1 and boards_updated_at = ${updatedAt}`;
  return found.length > 0;
}

/** Who is on a board, in order, and on which rank. */
export interface OrderedAgents extends KeptBoard {
  readonly agents: readonly number[];
  readonly ranks: readonly number[];
}

/** A sum of the standing `s` in a window. */
function summed(period: Period, name: SumName): string {
  return `s.${windowColumn(period, name)}`;
}

function edgesIn(period: Period): string {
  return `(${summed(period, 'competitions')} - ${summed(period, 'withoutEdge')})`;
}

/** What an agent's standing `s` is ordered by in a window, the higher first; null where nothing is known of it. */
const KEYS: Readonly<Record<BoardOrder, (period: Period) => string>> = {
  POINTS: (period) => summed(period, 'points'),
  EDGE: (period) => `${summed(period, 'edge')}::float8 / nullif(${edgesIn(period)}, 0)`,
  SKILL: (period) => `1 - ${summed(period, 'brierSum')} / ${summed(period, 'referenceBrierSum')}`,
  PNL: (period) => summed(period, 'pnlUsd'),
  PEER: (period) => summed(period, 'peer'),
  CONTRIBUTION: (period) => summed(period, 'contribution'),
  ARENA: (period) => `${summed(period, 'arenaEdge')}::float8 / nullif(${summed(period, 'arenaEdges')}, 0)`,
};

/** What boards are made of: the sums `s` of agents, a table and which rows of it; and how many places they have. */
interface BoardSource {
  readonly sums: RawBuilder<unknown>;
  readonly places: number;
}

/** Of all rounds. */
export const STANDINGS: BoardSource = { sums: sql`standings s where true`, places: BOARD_RESERVE };

/** Every board of these windows that is kept of all rounds. */
export function keptBoards(periods: readonly Period[]): readonly KeptBoard[] {
  return periods.flatMap((period) =>
    BOARD_ORDERS.flatMap((orderBy) => KEPT_MIN_ROUNDS[orderBy].map((minRounds) => ({ period, orderBy, minRounds }))),
  );
}

/** These boards: by their key, then wins, then lower id; empty ones are left out. A window's sums are read once for all its boards. */
export async function orderedAgents(
  em: SqlEntityManager,
  asked: readonly KeptBoard[],
  { sums, places }: BoardSource,
): Promise<readonly OrderedAgents[]> {
  const windows = [...new Set(asked.map(({ period }) => period))].map((period) => {
    const keys = BOARD_ORDERS.map((orderBy) => `${KEYS[orderBy](period)} as "${orderBy}"`);
    return sql`${sql.raw(period)} as materialized (select s.agent_id, ${sql.raw(`${summed(period, 'wins')} as wins, ${summed(period, 'competitions')} as n,
      ${edgesIn(period)} as edges, ${summed(period, 'arenaEdges')} as arena_edges, ${keys.join(', ')}`)} from ${sums} and ${sql.raw(summed(period, 'competitions'))} > 0)`;
  });
  const boards = asked.map((board) => boardSql(board, places));
  return em.transactional((transaction) =>
    withPlannerHint(transaction, 'hashJoins', async () => {
      const found = await rows<OrderedAgents>(transaction)`
        with ${sql.join(windows)} ${sql.join(boards, sql` union all `)}`;
      return found.filter(({ agents }) => agents.length > 0);
    }),
  );
}

/** What of an agent's rounds counts for a board's least number of rounds, where it is not all of them. */
const COUNTED: Readonly<Partial<Record<BoardOrder, string>>> = { EDGE: 'edges', ARENA: 'arena_edges' };

/** The first of a board. */
function boardSql({ period, orderBy, minRounds }: KeptBoard, places: number): RawBuilder<unknown> {
  const order = sql`key desc, wins desc, agent_id`;
  return sql`(select ${sql.lit(period)} as period, ${sql.lit(orderBy)} as "orderBy", ${sql.lit(minRounds)}::int as "minRounds",
    coalesce(array_agg(agent_id order by ${order}), '{}') as agents, coalesce(array_agg(rank order by ${order}), '{}') as ranks
    from (select agent_id, wins, key, (rank() over (order by key desc))::int as rank
      from (select agent_id, wins, ${sql.ref(orderBy)} as key from ${sql.raw(period)}
        where ${sql.ref(orderBy)} is not null and ${sql.ref(COUNTED[orderBy] ?? 'n')} >= ${sql.lit(minRounds)}
        order by ${order} limit ${sql.lit(places)}) first) ranked)`;
}

/** The sums of the agents of these boards in their windows, by agent. */
export async function sumsOf(
  em: SqlEntityManager,
  boards: readonly OrderedAgents[],
  sums: RawBuilder<unknown>,
): Promise<ReadonlyMap<number, Readonly<Record<Period, WindowFigures>>>> {
  const agents = new Set(boards.flatMap((board) => board.agents));
  const periods = new Set(boards.map(({ period }) => period));
  const windows = sql.join([...periods].map((period) => sql`${sql.lit(period)}, ${windowObject(period)}`));
  const found = await rows<{ agentId: number; windows: Readonly<Record<Period, WindowFigures>> }>(em)`
    select s.agent_id as "agentId", json_build_object(${windows}) as windows
    from ${sums} and s.agent_id = any(${[...agents]}::int[])`;
  return new Map(found.map((row) => [row.agentId, row.windows]));
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
  return rows<DrawnRound>(em)`
    select id, jsonb_array_length(choices) as "choiceCount", end_time as "end", decided_at as "decidedAt",
      total_entries as entries from rounds
    where status = 'resolved' order by start_time desc limit ${INTERVAL_ROUNDS + 1}`;
}

interface RoundFigure {
  /** Of a score `s` in a round `r`. */
  readonly figure: RawBuilder<unknown>;
  readonly divisor?: RawBuilder<unknown>;
}

/** What a round adds to what a board is ordered by, in the units of the sums. */
const FIGURES: Readonly<Record<BoardOrder, RoundFigure>> = {
  POINTS: { figure: sql`s.score + s.streak_bonus` },
  PNL: { figure: sql`(s.pnl_usd * 100)::int` },
  PEER: { figure: sql`coalesce(s.peer_millionths, 0)` },
  CONTRIBUTION: { figure: sql`coalesce(s.contribution_billionths, 0)` },
  EDGE: { figure: sql`coalesce(s.edge_millionths, 0)`, divisor: sql`(s.edge_millionths is not null)::int` },
  ARENA: {
    figure: sql`coalesce(s.arena_edge_millionths, 0)`,
    divisor: sql`(s.arena_edge_millionths is not null)::int`,
  },
  SKILL: { figure: sql`s.reference_brier - s.brier`, divisor: sql`s.reference_brier` },
};

/** What each of these agents did in these rounds, in the order of the agents; the places of `rounds` are theirs in that list. */
export async function roundFigures(
  em: SqlEntityManager,
  { orderBy, agents }: Pick<OrderedAgents, 'orderBy' | 'agents'>,
  rounds: readonly DrawnRound[],
): Promise<readonly RoundFigures[]> {
  const { figure, divisor } = FIGURES[orderBy];
  const [ids, counts] = [rounds.map(({ id }) => id), rounds.map(({ choiceCount }) => choiceCount)];
  type Found = { readonly agentId: number; readonly found: RoundFigures };
  const figures = (transaction: SqlEntityManager) => rows<Found>(transaction)`
    select s.agent_id as "agentId", json_build_object('rounds', array_agg(r.place order by r.place),
      'figures', array_agg(${figure} order by r.place),
      'divisors', ${divisor === undefined ? sql`null` : sql`array_agg(${divisor} order by r.place)`}) as found
    from ${SCORES} s
    join unnest(${ids}::int[], ${counts}::int[], ${ids.map((_, place) => place)}::int[]) r(id, choice_count, place)
      on r.id = s.round_id
    where s.agent_id = any(${[...agents]}::int[]) and s.round_id >= ${Math.min(...ids)}::int
      and s.round_id <= ${Math.max(...ids)}::int
    group by s.agent_id`;
  // Joined whole: each score would be compared with each round where few of these are believed to be scored.
  const all = await em.transactional((transaction) =>
    withPlannerHint(transaction, 'hashJoins', () => figures(transaction)),
  );
  const byAgent = new Map(all.map(({ agentId, found }) => [agentId, found]));
  const none = { rounds: [], figures: [], divisors: divisor === undefined ? null : [] };
  return agents.map((agent) => byAgent.get(agent) ?? none);
}
