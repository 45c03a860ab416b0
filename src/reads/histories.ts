import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { UNITS } from '../rules/payoffs.ts';
import type { Period } from '../rules/windows.ts';
import { inWindowById } from './rounds.ts';
import { rows } from './sql.ts';
import { SCORES } from './scores.ts';

/** One or more rounds of an agent that follow each other. */
export interface HistorySums {
  /** The last of them. */
  readonly roundId: number;
  readonly rounds: number;
  /** What they brought together, in whole numbers of whatever unit, and with all rounds before. */
  readonly sums: readonly number[];
  readonly cumulative: readonly number[];
}

/** What one or more resolved rounds of an agent that follow each other brought, as a point of a chart of one figure. */
export interface ChartPoint extends Pick<HistorySums, 'roundId' | 'rounds'> {
  readonly value: number;
  readonly cumulative: number;
}

export interface HistoryRequest {
  readonly window: Period;
  /** The greatest number of points. */
  readonly max: number;
}

const CENTS = 100;

/** The P&L of what `historiesOf` gives, in USD. */
export function pnlPoint(point: HistorySums): ChartPoint {
  return chartPoint(point, 0, CENTS);
}

/** The points of what `historiesOf` gives. */
export function pointsPoint(point: HistorySums): ChartPoint {
  return chartPoint(point, 1, 1);
}

/** What the rounds of a window brought to several agents, in the order of time: P&L in cents and points. */
export async function historiesOf(
  em: SqlEntityManager,
  request: HistoryRequest,
  agents: readonly number[],
): Promise<readonly (readonly HistorySums[])[]> {
  return groupsOf(em, agents, {
    ...request,
    figures: sql`s.pnl_usd, s.score + s.streak_bonus as points`,
    sums: sql`sum(r.pnl_usd) * ${CENTS}::int, sum(r.points)`,
  });
}

/** The same of the edge. */
export async function edgeHistoriesOf(
  em: SqlEntityManager,
  request: HistoryRequest,
  agents: readonly number[],
): Promise<readonly (readonly ChartPoint[])[]> {
  const histories = await groupsOf(em, agents, {
    ...request,
    figures: sql`s.edge_millionths`,
    sums: sql`sum(r.edge_millionths)`,
    only: sql`s.edge_millionths is not null`,
  });
  return histories.map((points) => points.map((point) => chartPoint(point, 0, UNITS.edge)));
}

function chartPoint({ roundId, rounds, sums, cumulative }: HistorySums, place: number, unit: number): ChartPoint {
  return { roundId, rounds, value: (sums[place] ?? 0) / unit, cumulative: (cumulative[place] ?? 0) / unit };
}

interface GroupsAsked extends HistoryRequest {
  /** Of a score `s`, as columns of `r`. */
  readonly figures: RawBuilder<unknown>;
  /** Over the rounds `r` of a group: whole numbers. */
  readonly sums: RawBuilder<unknown>;
  /** Which scores count; unset: all. */
  readonly only?: RawBuilder<unknown>;
}

interface Group extends Omit<HistorySums, 'cumulative'> {
  readonly agentId: number;
}

/**
 * The resolved rounds of a window that each agent predicted, in the order of time: more than `max` are put together in groups
 * of equal size, counted from the newest, so that the first one is smaller where they do not divide. The index
 * `scores_agent_rounds` holds all of it, and no round comes here by itself.
 */
async function groupsOf(
  em: SqlEntityManager,
  agents: readonly number[],
  { window, max, figures, sums, only = sql`true` }: GroupsAsked,
): Promise<readonly (readonly HistorySums[])[]> {
  const found = await rows<Group>(em)`
    select a.id as "agentId", g.* from unnest(${[...agents]}::int[]) a(id)
    cross join lateral (
      select max(r.id) as "roundId", count(*)::int as rounds, array[${sums}]::float8[] as sums
      from (
        select s.round_id as id, ${figures},
          (row_number() over (order by s.round_id desc) - 1) / ((count(*) over () + ${max - 1}::int) / ${max}::int) as place
        from ${SCORES} s where s.agent_id = a.id and ${inWindowById(window)} and ${only}
      ) r
      group by r.place
    ) g
    order by a.id, g."roundId"`;
  const byAgent = Map.groupBy(found, ({ agentId }) => agentId);
  return agents.map((agent) => withAllBefore(byAgent.get(agent) ?? []));
}

function withAllBefore(groups: readonly Group[]): readonly HistorySums[] {
  let before: readonly number[] = [];
  return groups.map(({ roundId, rounds, sums }) => {
    const cumulative = sums.map((sum, place) => sum + (before[place] ?? 0));
    before = cumulative;
    return { roundId, rounds, sums, cumulative };
  });
}
