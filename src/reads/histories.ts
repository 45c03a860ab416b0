import type { SqlEntityManager } from '@mikro-orm/postgresql';

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
  { window, max }: HistoryRequest,
  agents: readonly number[],
): Promise<readonly (readonly HistoryPoint[])[]> {
  const found = await rows<HistoryPoint & { readonly agentId: number }>(em)`
    with scored as (
      select s.agent_id, r.id, r.end_time, s.pnl_usd, s.score + s.streak_bonus as points,
        row_number() over newest_first as back, count(*) over (partition by s.agent_id) as total
      from scores s
      join ${windowRounds({ window, questionType: null, asset: null })} r on r.id = s.round_id
      where s.agent_id = any(${[...agents]})
      window newest_first as (partition by s.agent_id order by r.start_time desc)
    ), grouped as (
      select agent_id, (back - 1) / ((total + ${max} - 1) / ${max}) as bucket, max(end_time) as at,
        max(id) as round_id, count(*)::int as rounds, sum(pnl_usd) as pnl_usd, sum(points)::int as points
      from scored group by 1, 2
    )
    select agent_id as "agentId", at, round_id as "roundId", rounds, pnl_usd as "pnlUsd", points,
      sum(pnl_usd) over until_then as "cumulativePnlUsd", (sum(points) over until_then)::int as "cumulativePoints"
    from grouped window until_then as (partition by agent_id order by at)
    order by agent_id, at`;
  const byAgent = Map.groupBy(found, ({ agentId }) => agentId);
  return agents.map((agent) => byAgent.get(agent) ?? []);
}
