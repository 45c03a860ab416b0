import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type AliasableExpression, expressionBuilder, sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { UNITS } from '../rules/payoffs.ts';
import type { Period } from '../rules/windows.ts';
import { type AliasedTables, ids } from './fragments.ts';
import { inWindowById } from './rounds.ts';
import { SCORES } from './scores.ts';

/** One or more consecutive rounds of an agent. */
export interface HistorySums {
  /** The last of them. */
  readonly roundId: number;
  readonly rounds: number;
  /** Sums of figures in whole units over these rounds; `cumulative` includes all earlier rounds. */
  readonly sums: readonly number[];
  readonly cumulative: readonly number[];
}

/** One or more consecutive resolved rounds of an agent, as a point of a chart of one figure. */
export interface ChartPoint extends Pick<HistorySums, 'roundId' | 'rounds'> {
  readonly value: number;
  readonly cumulative: number;
}

export interface HistoryRequest {
  readonly window: Period;
  /** The maximum number of points. */
  readonly max: number;
}

const CENTS = 100;

/** The P&L of a result of `historiesOf`, in USD. */
export function pnlPoint(point: HistorySums): ChartPoint {
  return chartPoint(point, 0, CENTS);
}

/** The points of a result of `historiesOf`. */
export function pointsPoint(point: HistorySums): ChartPoint {
  return chartPoint(point, 1, 1);
}

/** P&L in cents and points of several agents over the rounds of a window, in the order of time. */
export async function historiesOf(em: SqlEntityManager, request: HistoryRequest, agents: readonly number[]) {
  return groupsOf(em, agents, { ...request, figures: ['cents', 'points'] });
}

/** The same for the edge. */
export async function edgeHistoriesOf(em: SqlEntityManager, request: HistoryRequest, agents: readonly number[]) {
  const histories = await groupsOf(em, agents, { ...request, figures: ['edge'] });
  return histories.map((points) => points.map((point) => chartPoint(point, 0, UNITS.edge)));
}

function chartPoint({ roundId, rounds, sums, cumulative }: HistorySums, rank: number, unit: number): ChartPoint {
  return { roundId, rounds, value: (sums[rank] ?? 0) / unit, cumulative: (cumulative[rank] ?? 0) / unit };
}

const s = expressionBuilder<AliasedTables<{ s: 'scores' }> & { readonly a: { readonly id: number } }, 's' | 'a'>();

/** Figures of a score `s`; their sums, multiplied by the unit, are whole numbers. */
const FIGURES: Readonly<Record<'cents' | 'points' | 'edge', { value: AliasableExpression<unknown>; unit: number }>> = {
  cents: { value: s.ref('s.pnl_usd'), unit: CENTS },
  points: { value: s('s.score', '+', s.ref('s.streak_bonus')), unit: 1 },
  edge: { value: s.ref('s.edge_millionths'), unit: 1 },
};

interface GroupsRequest extends HistoryRequest {
  readonly figures: readonly (keyof typeof FIGURES)[];
}

type Group = Omit<HistorySums, 'cumulative'>;

/**
 * The resolved rounds of a window that each agent predicted and that have the figures, in the order of time. More than `max` are
 * grouped evenly from the newest, so that the first group may be smaller. The index `scores_agent_rounds` covers the query.
 */
async function groupsOf(
  em: SqlEntityManager,
  agents: readonly number[],
  { window, max, figures }: GroupsRequest,
): Promise<readonly (readonly HistorySums[])[]> {
  const fromNewest = s.fn.agg<number>('row_number').over((over) => over.orderBy('s.round_id', 'desc'));
  const [less, most] = [s.cast<number>(s.val(max - 1), 'integer'), s.cast<number>(s.val(max), 'integer')];
  const perPoint = s(s.parens(s.fn.countAll<number>().over(), '+', less), '/', most);
  const rounds = s
    .selectFrom(SCORES.as('s'))
    .where('s.agent_id', '=', s.ref('a.id'))
    .where(inWindowById(window))
    .where(figures.includes('edge') ? s('s.edge_millionths', 'is not', null) : s.lit(true))
    .select('s.round_id as id')
    .select(figures.map((name) => FIGURES[name].value.as(name)))
    .select(s(s.parens(fromNewest, '-', s.lit(1)), '/', s.parens(perPoint)).as('rank'));
  const groups = s
    .selectFrom(rounds.as('r'))
    .groupBy('r.rank')
    .select(({ fn, eb }) => {
      const sums = figures.map((name) => eb(fn.sum<number>(`r.${name}`), '*', sql.lit(FIGURES[name].unit)));
      const inOrder = sql<readonly number[]>`array[${sql.join(sums)}]::float8[]`;
      return [fn.max('r.id').as('roundId'), fn.countAll<number>().as('rounds'), inOrder.as('sums')];
    });
  const found = await em
    .getKysely<DB>()
    .selectFrom(ids(agents))
    .crossJoinLateral(() => groups.as('g'))
    .select(['a.id as agentId', 'g.roundId', 'g.rounds', 'g.sums'])
    .orderBy('a.id')
    .orderBy('g.roundId')
    .execute();
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
