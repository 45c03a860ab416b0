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
export type ChartPoint = ReturnType<typeof chartPoint>;

interface HistoryRequest {
  readonly window: Period;
  /** The maximum number of points. */
  readonly max: number;
  /** Rounds without an edge are left out where it is among them. */
  readonly figures: readonly (keyof typeof FIGURES)[];
}

const CENTS = 100;

/** Two charts of the same rounds, which are read together. */
const PNL_AND_POINTS = ['cents', 'points'] as const;

/** Each chart with its figures, the index of its own among them, and the units of its figure per 1. */
export const CHARTS = {
  pnl: { figures: PNL_AND_POINTS, rank: 0, unit: CENTS },
  points: { figures: PNL_AND_POINTS, rank: 1, unit: 1 },
  edge: { figures: ['edge'], rank: 0, unit: UNITS.edge },
} as const;

export function chartPoint({ roundId, rounds, sums, cumulative }: HistorySums, chart: keyof typeof CHARTS) {
  const { rank, unit } = CHARTS[chart];
  return { roundId, rounds, value: (sums[rank] ?? 0) / unit, cumulative: (cumulative[rank] ?? 0) / unit };
}

const s = expressionBuilder<AliasedTables<{ s: 'scores' }> & { readonly a: { readonly id: number } }, 's' | 'a'>();

/** Figures of a score `s`; their sums, multiplied by the unit, are whole numbers. */
const FIGURES: Readonly<Record<'cents' | 'points' | 'edge', { value: AliasableExpression<unknown>; unit: number }>> = {
  cents: { value: s.ref('s.pnl_usd'), unit: CENTS },
  points: { value: s('s.score', '+', s.ref('s.streak_bonus')), unit: 1 },
  edge: { value: s.ref('s.edge_millionths'), unit: 1 },
};

type Group = Omit<HistorySums, 'cumulative'>;

/**
 * The resolved rounds of a window that each agent predicted and that have the figures, in the order of time. More than `max` are
 * grouped evenly from the newest, so that the first group may be smaller. The index `scores_agent_rounds` covers the query.
 */
export async function historiesOf(
  em: SqlEntityManager,
  { window, max, figures }: HistoryRequest,
  agents: readonly number[],
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
