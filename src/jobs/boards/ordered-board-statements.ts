import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, type ExpressionBuilder, expressionBuilder, type NotNull, type RawBuilder, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';

import type { DB, Row } from '../../entities/tables.ts';
import { edgesIn, KEYS, sumIn } from '../../reads/plan/board-keys.ts';
import { parts } from '../../reads/plan/parts.ts';
import { type WindowFigures, windowObject } from '../../reads/plan/standing.ts';
import { SCORES } from '../../reads/scores.ts';
import { rows } from '../../reads/sql.ts';
import {
  BOARD_ORDERS,
  BOARD_RESERVE,
  type BoardKey,
  type BoardOrder,
  INTERVAL_ROUNDS,
  KEPT_MIN_ROUNDS,
} from '../../rules/board-orders.ts';
import type { RoundFigures } from '../../rules/statistics/rank-intervals.ts';
import type { Period } from '../../rules/windows.ts';
import { anyOf, wholeUnits } from '../../reads/fragments.ts';
import { unnested } from '../../reads/table-functions.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';

/** The state of the platform that boards show. */
export type BoardState = NonNullable<Awaited<ReturnType<typeof stateToOrder>>>;

/** The state that has no boards yet, if any. */
export async function stateToOrder(em: SqlEntityManager) {
  return em
    .getKysely<DB>()
    .selectFrom('platform')
    .select(['resolved_rounds as resolvedRounds', 'boards_updated_at as updatedAt', 'newest_resolved_end as newestEnd'])
    .select((of) => longestStreak(of).as('streakAgentId'))
    .where('id', '=', 1)
    .where((of) => of('resolved_rounds', '>', of.fn.coalesce('ordered_rounds', of.lit(0))))
    .$narrowType<{ newestEnd: NotNull }>()
    .executeTakeFirst();
}

/** The agent with the most right answers in a row, ever; of equal ones the one with more points. */
function longestStreak(of: ExpressionBuilder<DB, 'platform'>) {
  return of
    .selectFrom('standings')
    .select('agent_id')
    .where('best_streak', '>', 0)
    .orderBy('best_streak', 'desc')
    .orderBy('alltime_points', 'desc')
    .orderBy('agent_id')
    .limit(1);
}

/** True if no round was resolved or amended since: all rows read since then belong to that state. */
export async function isStill(em: SqlEntityManager, { updatedAt }: BoardState): Promise<boolean> {
  const same = em.getKysely<DB>().selectFrom('platform').where('id', '=', 1).where('boards_updated_at', '=', updatedAt);
  return (await same.select('id').executeTakeFirst()) !== undefined;
}

/** The first agents on a board, in order, and their ranks. */
export interface OrderedAgents extends BoardKey {
  /** The number of agents on the whole board. */
  readonly total: number;
  readonly agents: readonly number[];
  readonly ranks: readonly number[];
}

/** A table of agents' sums with the columns of `standings`, and the number of places of its boards. */
interface BoardSource {
  readonly sums: RawBuilder<Row<'standings'>>;
  readonly places: number;
}

export const STANDINGS: BoardSource = { sums: sql.table('standings'), places: BOARD_RESERVE };

/** Every stored board of these windows over all rounds. */
export function keptBoards(periods: readonly Period[]): readonly BoardKey[] {
  return periods.flatMap((period) =>
    BOARD_ORDERS.flatMap((orderBy) => KEPT_MIN_ROUNDS[orderBy].map((minRounds) => ({ period, orderBy, minRounds }))),
  );
}

/**
 * The agents of these boards in the order of the key, wins and ascending id; empty boards are left out. The sums of a window
 * are read once for all its boards.
 */
export async function orderedAgents(
  em: SqlEntityManager,
  keys: readonly BoardKey[],
  { sums, places }: BoardSource,
): Promise<readonly OrderedAgents[]> {
  const windows = [...new Set(keys.map(({ period }) => period))].map((period) => {
    const keyed = parts
      .selectFrom(sums.as('s'))
      .select(['s.agent_id', sumIn(period, 'wins').as('wins'), sumIn(period, 'competitions').as('n')])
      .select([edgesIn(period).as('edges'), sumIn(period, 'arenaEdges').as('arena_edges')])
      .select(BOARD_ORDERS.map((orderBy) => parts.parens(KEYS[orderBy](period)).as(orderBy)))
      .where(sumIn(period, 'competitions'), '>', 0);
    const counts = keys
      .filter((board) => board.period === period)
      .map((board) => parts.cast(parts.fn.countAll().filterWhere(isOn(board)), 'integer').as(nameOf(board)));
    return sql`${sql.ref(period)} as materialized ${keyed},
      ${sql.ref(`${period} counts`)} as materialized (select ${sql.join(counts)} from ${sql.ref(period)})`;
  });
  const boards = keys.map((board) => boardSql(board, places));
  return em.transactional((transaction) =>
    withPlannerHint(transaction, 'hashJoins', async () => {
      const found = await rows<OrderedAgents>(transaction)`
        with ${sql.join(windows)} ${sql.join(boards, sql` union all `)}`;
      return found.filter(({ agents }) => agents.length > 0);
    }),
  );
}

/** The count that a board's minimum of rounds is about; all of an agent's rounds if absent. */
const COUNTED: Readonly<Partial<Record<BoardOrder, string>>> = { EDGE: 'edges', ARENA: 'arena_edges' };

/** True for the agents of a window that are on the board. */
function isOn({ orderBy, minRounds }: BoardKey) {
  const counted = sql.ref<number>(COUNTED[orderBy] ?? 'n');
  return parts.and([parts(sql.ref(orderBy), 'is not', null), parts(counted, '>=', sql.lit(minRounds))]);
}

function nameOf({ orderBy, minRounds }: BoardKey): string {
  return `${orderBy} ${minRounds}`;
}

function boardSql(board: BoardKey, places: number): RawBuilder<unknown> {
  const { period, orderBy, minRounds } = board;
  return sql`(select ${sql.lit(period)} as period, ${sql.lit(orderBy)} as "orderBy", ${sql.lit(minRounds)}::int as "minRounds",
    (select ${sql.ref(nameOf(board))} from ${sql.ref(`${period} counts`)}) as total,
    coalesce(array_agg(agent_id order by key desc, wins desc, agent_id), '{}') as agents,
    coalesce(array_agg(rank order by key desc, wins desc, agent_id), '{}') as ranks
    from (select agent_id, wins, key, (rank() over (order by key desc))::int as rank
      from (select agent_id, wins, ${sql.ref(orderBy)} as key from ${sql.ref(period)}
        where ${isOn(board)}
        order by key desc, wins desc, agent_id limit ${sql.lit(places)}) first) ranked)`;
}

type WindowsOfAgent = Readonly<Record<Period, WindowFigures>>;

/** The sums of the agents of these boards in their windows, by agent. */
export async function sumsOf(
  em: SqlEntityManager,
  boards: readonly OrderedAgents[],
  sums: BoardSource['sums'],
): Promise<ReadonlyMap<number, WindowsOfAgent>> {
  const agents = [...new Set(boards.flatMap((board) => board.agents))];
  const periods = [...new Set(boards.map(({ period }) => period))];
  const windows = jsonBuildObject(Object.fromEntries(periods.map((period) => [period, windowObject(period)])));
  const found = await em
    .getKysely()
    .selectFrom(sums.as('s'))
    .select(['s.agent_id', windows.$castTo<WindowsOfAgent>().as('windows')])
    .where('s.agent_id', '=', anyOf(agents))
    .execute();
  return new Map(found.map((row) => [row.agent_id, row.windows]));
}

/** A resolved round that a bootstrap draws from. */
export type DrawnRound = Awaited<ReturnType<typeof newestRounds>>[number];

/** The newest resolved rounds in descending order: one more than the maximum of a window that is drawn from. */
export async function newestRounds(em: SqlEntityManager) {
  return em
    .getKysely<DB>()
    .selectFrom('rounds')
    .select(['id', 'start_time as start', 'end_time as end'])
    .where('status', '=', 'resolved')
    .orderBy('start_time', 'desc')
    .limit(INTERVAL_ROUNDS + 1)
    .execute();
}

/** The values of an agent's rounds `r`, in their order. */
function inOrder(value: Expression<unknown>) {
  return parts.fn.agg('array_agg', [value]).orderBy(sql.ref('r.place'));
}

interface RoundFigure {
  /** Computed from a score `s`. */
  readonly figure: Expression<unknown>;
  readonly divisor?: Expression<unknown>;
}

const score = expressionBuilder<{ s: Row<'scores'> }, 's'>();

function edgeOrZero(name: 'edge_millionths' | 'arena_edge_millionths'): RoundFigure {
  const column = score.ref(`s.${name}`);
  const isKnown = score(column, 'is not', null);
  return { figure: score.fn.coalesce(column, score.lit(0)), divisor: score.cast(isKnown, 'integer') };
}

/** A round's part of the figure that a board is ordered by, in the units of the sums. */
const FIGURES: Readonly<Record<BoardOrder, RoundFigure>> = {
  POINTS: { figure: score('s.score', '+', score.ref('s.streak_bonus')) },
  PNL: { figure: wholeUnits(score.ref('s.pnl_usd'), 100, 'int4') },
  PEER: { figure: score.fn.coalesce('s.peer_millionths', score.lit(0)) },
  CONTRIBUTION: { figure: score.fn.coalesce('s.contribution_billionths', score.lit(0)) },
  EDGE: edgeOrZero('edge_millionths'),
  ARENA: edgeOrZero('arena_edge_millionths'),
  SKILL: { figure: score('s.reference_brier', '-', score.ref('s.brier')), divisor: score.ref('s.reference_brier') },
};

/** Each agent's figures by round, in the order of `agents`; their rounds are indices of `rounds`. */
export async function roundFigures(
  em: SqlEntityManager,
  { orderBy, agents }: Pick<OrderedAgents, 'orderBy' | 'agents'>,
  rounds: readonly Pick<DrawnRound, 'id'>[],
): Promise<readonly RoundFigures[]> {
  const { figure, divisor } = FIGURES[orderBy];
  const ids = rounds.map(({ id }) => id);
  const drawn = unnested('r', { id: [ids, 'int'], place: [[...ids.keys()], 'int'] });
  const lists = jsonBuildObject({
    rounds: inOrder(sql.ref('r.place')),
    figures: inOrder(figure),
    divisors: divisor === undefined ? sql.lit(null) : inOrder(divisor),
  });
  const figures = (transaction: SqlEntityManager) =>
    transaction
      .getKysely()
      .selectFrom(SCORES.as('s'))
      .innerJoin(drawn, 'r.id', 's.round_id')
      .select(['s.agent_id', lists.$castTo<RoundFigures>().as('figures')])
      .where('s.agent_id', '=', anyOf(agents))
      .where('s.round_id', '>=', Math.min(...ids))
      .where('s.round_id', '<=', Math.max(...ids))
      .groupBy('s.agent_id')
      .execute();
  // A hash join: the planner expects few of these rounds to be scored, and would compare each score with each round.
  const all = await em.transactional((transaction) =>
    withPlannerHint(transaction, 'hashJoins', () => figures(transaction)),
  );
  const byAgent = new Map(all.map((row) => [row.agent_id, row.figures]));
  const none = { rounds: [], figures: [], divisors: divisor === undefined ? null : [] };
  return agents.map((agent) => byAgent.get(agent) ?? none);
}
