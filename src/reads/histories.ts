import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { UNITS } from '../rules/worth.ts';
import type { Period } from '../rules/windows.ts';
import { windowRounds } from './rounds.ts';
import { rows } from './sql.ts';

interface Point {
  /** The end of the last of its rounds. */
  readonly at: Date;
  readonly roundId: number;
  readonly rounds: number;
}

/** One or more resolved rounds of an agent that follow each other. Money is exact, as text. */
export interface HistoryPoint extends Point {
  readonly pnlUsd: string;
  readonly cumulativePnlUsd: string;
  readonly points: number;
  readonly cumulativePoints: number;
}

/** The same as one point of a chart of either figure. */
export interface ChartPoint extends Point {
  readonly value: number;
  readonly cumulative: number;
}

export function pnlPoint({ pnlUsd, cumulativePnlUsd, at, roundId, rounds }: HistoryPoint): ChartPoint {
  return { at, roundId, rounds, value: Number(pnlUsd), cumulative: Number(cumulativePnlUsd) };
}

export function pointsPoint({ points, cumulativePoints, at, roundId, rounds }: HistoryPoint): ChartPoint {
  return { at, roundId, rounds, value: points, cumulative: cumulativePoints };
}

export interface HistoryRequest {
  readonly window: Period;
  /** The greatest number of points. */
  readonly max: number;
}

/**
 * What the rounds of a window brought to several agents, in the order of time. More than `max` rounds are put together
 * in groups of equal size, the first one smaller where they do not divide, so that no series has more points than that.
 * The index `scores_agent_rounds` holds all of it: no row of an agent's scattered scores is visited.
 */
export async function historiesOf(
  em: SqlEntityManager,
  request: HistoryRequest,
  agents: readonly number[],
): Promise<readonly (readonly HistoryPoint[])[]> {
  const found = await rows<HistoryPoint & { readonly agentId: number }>(em)`
    with scored as (${scoredOf(request, agents, sql`s.pnl_usd, s.score + s.streak_bonus as points`)}), grouped as (
      select ${GROUP}, sum(pnl_usd) as pnl_usd, sum(points)::int as points
      from ${bucketsOf(request)} group by agent_id, bucket
    )
    select ${POINT}, pnl_usd as "pnlUsd", points,
      sum(pnl_usd) over until_then as "cumulativePnlUsd", (sum(points) over until_then)::int as "cumulativePoints"
    from grouped window until_then as (partition by agent_id order by at)
    order by agent_id, at`;
  return inOrderOf(agents, found);
}

/**
 * The same of the edge. No index holds it: each score is visited, which takes longer the longer the record is.
 */
export async function edgeHistoriesOf(
  em: SqlEntityManager,
  request: HistoryRequest,
  agents: readonly number[],
): Promise<readonly (readonly ChartPoint[])[]> {
  const found = await rows<ChartPoint & { readonly agentId: number }>(em)`
    with scored as (
      ${scoredOf(request, agents, sql`s.edge_millionths as edge`)} and s.edge_millionths is not null
    ), grouped as (
      select ${GROUP}, sum(edge) as edge from ${bucketsOf(request)} group by agent_id, bucket
    )
    select ${POINT}, edge::float8 / ${UNITS.edge} as value, (sum(edge) over until_then)::float8 / ${UNITS.edge} as cumulative
    from grouped window until_then as (partition by agent_id order by at)
    order by agent_id, at`;
  return inOrderOf(agents, found);
}

const GROUP = sql`agent_id, max(end_time) as at, max(id) as round_id, count(*)::int as rounds`;
const POINT = sql`agent_id as "agentId", at, round_id as "roundId", rounds`;

/** The scores of a window's rounds with these columns, without an end so that a condition can follow. */
function scoredOf({ window }: HistoryRequest, agents: readonly number[], columns: RawBuilder<unknown>) {
  return sql`select s.agent_id, r.id, r.end_time, ${columns}
    from scores s
    join ${windowRounds({ window, questionType: null, asset: null })} r on r.id = s.round_id
    where s.agent_id = any(${[...agents]})`;
}

/** `scored` with the group of each row, counted from the newest, as many to a group as leave no more than `max` of them. */
function bucketsOf({ max }: HistoryRequest) {
  return sql`(
    select *, (row_number() over (partition by agent_id order by end_time desc) - 1)
      / ((count(*) over (partition by agent_id) + ${max} - 1) / ${max}) as bucket
    from scored
  ) numbered`;
}

function inOrderOf<One extends { readonly agentId: number }>(
  agents: readonly number[],
  found: readonly One[],
): readonly (readonly One[])[] {
  const byAgent = Map.groupBy(found, ({ agentId }) => agentId);
  return agents.map((agent) => byAgent.get(agent) ?? []);
}
