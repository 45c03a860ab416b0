import { type AliasableExpression, type Expression, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';

import { RANK_LEVELS } from '../../entities/boards.ts';
import type { BoardOrder } from '../../rules/board-orders.ts';
import type { RankInterval } from '../../rules/statistics/rank-intervals.ts';
import { EXTENDED, type ExtendedSums, type SumName, SUMS, sumType, TOTALS, type Totals } from '../../rules/sums.ts';
import { type Period, PERIODS } from '../../rules/windows.ts';
import { sumIn } from './board-keys.ts';
import { byAlias } from './by-alias.ts';
import { property } from '../fragments.ts';
import { parts, queries } from './parts.ts';
import {
  type Column,
  constant,
  type NestedField,
  one,
  plain,
  plainOr,
  row,
  type RowOf,
  rowType,
  typedValue,
} from './plan.ts';

const { a, s, o } = byAlias({ a: 'agents', s: 'standings', o: 'ordered_boards' }, 's', 'o');

function namesOf<Sums extends object>(sums: Sums): readonly (keyof Sums & SumName)[] {
  return typedValue<readonly (keyof Sums & SumName)[]>(Object.keys(sums)).value;
}

/** A window's sums over the resolved rounds that an agent predicted, of a standing `s` or null. */
export function windowColumns(period: Period) {
  const totals = namesOf(TOTALS).map((name) => {
    const sum = sumIn(period, name);
    return [
      name,
      typeof sumType(SUMS[name]) === 'string'
        ? plainOr<unknown>(0, sum)
        : plainOr<unknown>('0', parts.cast(sum, 'text')),
    ];
  });
  return typedValue<TotalColumns & { readonly extendedSums: Column<ExtendedSums> }>({
    ...Object.fromEntries(totals),
    extendedSums: extendedSums(period),
  }).value;
}

type TotalColumns = { readonly [Name in keyof Totals]: Column<Totals[Name]> };

export type WindowFigures = RowOf<ReturnType<typeof windowColumns>>;

/** The sums of an agent without a scored prediction. */
export const NO_SUMS = typedValue<ExtendedSums>(
  Object.assign(Object.create(null), Object.fromEntries(namesOf(EXTENDED).map((name) => [name, 0]))),
).value;

function extendedSums(period: Period): Column<ExtendedSums> {
  return {
    sql: jsonBuildObject(Object.fromEntries(namesOf(EXTENDED).map((name) => [name, sumIn(period, name)]))),
    // All are null where there is no standing.
    read: (json) => (isFilled(json) ? json : NO_SUMS),
  };
}

function isFilled(json: unknown): json is ExtendedSums {
  return typeof json === 'object' && json !== null && 'edge' in json && json.edge !== null;
}

/** The fields that resolvers compute from a window's sums. */
export const WINDOW_NEEDS = {
  totalPoints: ['points'],
  totalArenaPoints: ['arenaPoints'],
  totalWins: ['wins'],
  totalCompetitions: ['competitions'],
  winRate: ['wins', 'competitions'],
  simPnlTotal: ['pnlUsd'],
} as const;

/** A window's sums as one JSON object, of a standing `s`. */
export function windowObject(period: Period): AliasableExpression<unknown> {
  return jsonBuildObject(
    Object.fromEntries(Object.entries(windowColumns(period)).map(([name, column]) => [name, column.sql])),
  );
}

/** The agent `a` as `agent`, and its standing `s` or null. */
export const STANDING_OF_AGENT = parts
  .selectFrom(queries.selectNoFrom(a('id').as('id')).as('agent'))
  .leftJoin('standings as s', 's.agent_id', 'agent.id');

function standingColumns(period: Period) {
  return {
    period: constant(period),
    ...windowColumns(period),
    rank: plain(
      parts
        .case()
        .when(s(`${period}_competitions`), '>', sql.lit(0))
        .then(rankIn(period))
        .end(),
    ),
    rankInterval: rankIntervalOf(period, sql.ref('agent.id')),
  };
}

export type StandingRow = RowOf<ReturnType<typeof standingColumns>>;

function standing(period: Period) {
  return rowType({
    columns: standingColumns(period),
    always: ['period'],
    needs: {
      ...WINDOW_NEEDS,
      brier: ['competitions', 'brierSum', 'referenceBrierSum'],
      referenceBrier: ['competitions', 'brierSum', 'referenceBrierSum'],
      skill: ['competitions', 'brierSum', 'referenceBrierSum'],
      skillInterval: ['competitions', 'brierSum', 'referenceBrierSum', 'extendedSums'],
      pointsPerRound: ['points', 'competitions', 'extendedSums'],
      hitRateInterval: ['wins', 'competitions'],
      edge: ['competitions', 'extendedSums'],
      arenaEdge: ['extendedSums'],
      luck: ['wins', 'competitions', 'pnlUsd', 'extendedSums'],
      contribution: ['extendedSums'],
      peerScore: ['extendedSums'],
      tiedWithAbove: ['rankInterval'],
    },
  });
}

/** The standing of an agent in the window of the arguments, within a row of `STANDING_OF_AGENT`. */
export const standingIn: NestedField = ({ args, selected }, rows) => row(standing(periodOf(args)), selected, rows);

export function periodOf(args: Readonly<Record<string, unknown>>): Period {
  return PERIODS.find((period) => period === args['period']) ?? 'weekly';
}

/** A query for the number of agents on a window's whole board; null without any. */
export function agentsOn(period: Period) {
  const counts = parts.selectFrom('board_counts').where('period', '=', period).where('bits', '=', RANK_LEVELS[2]);
  return counts.select(({ fn }) => fn.sum<number>('agents').as('agents'));
}

/**
 * The rank of a standing `s` on a window's whole board: 1 + the number of agents above. They are counted in the buckets
 * above the agent's at the widest level, and at each narrower level in those above within the wider bucket.
 */
function rankIn(period: Period): AliasableExpression<number> {
  const points = s(`${period}_points`);
  const above = RANK_LEVELS.map((bits, level) => {
    const wider = RANK_LEVELS[level + 1];
    const counted = parts
      .selectFrom('board_counts')
      .select(({ fn }) => fn.sum('agents').as('agents'))
      .where('period', '=', sql.lit(period))
      .where('bits', '=', sql.lit(bits))
      .where('bucket', '>', parts(points, '>>', sql.lit(bits)));
    if (wider === undefined) return parts.fn.coalesce(counted, sql.lit(0));
    const next = parts.parens(parts(parts.parens(points, '>>', sql.lit(wider)), '+', sql.lit(1)));
    return parts.fn.coalesce(counted.where('bucket', '<', parts(next, '<<', sql.lit(wider - bits))), sql.lit(0));
  });
  const rank = above.reduce<Expression<unknown>>((sum, agents) => parts(sum, '+', agents), sql.lit(1));
  return parts.cast<number>(rank, 'integer');
}

/**
 * The rank interval of an agent on a window's board by points; null unless it is among the first 100. `present` is null
 * until the interval of the newest resolution is computed, `newest` may belong to the resolution before.
 */
export function rankIntervalOf(
  period: Period,
  agentId: AliasableExpression<number>,
  of: 'present' | 'newest' = 'present',
): Column<RankInterval | null> {
  const board = parts.selectFrom('ordered_boards as o').where(isBoard(period, 'POINTS', 0));
  const present = board.innerJoin('platform as q', (join) =>
    join.on('q.id', '=', sql.lit(1)).onRef('q.boards_updated_at', '=', 'o.updated_at'),
  );
  const interval = plain(property<RankInterval | null>(o('sure_places'), parts.cast<string>(agentId, 'text')));
  return of === 'present' ? one(interval, present) : one(interval, board);
}

/** True if the stored board `o` is this one. */
export function isBoard(period: Period, orderBy: BoardOrder, minRounds: number) {
  return parts.and([
    parts(o('period'), '=', sql.lit(period)),
    parts(o('order_by'), '=', sql.lit(orderBy)),
    parts(o('min_rounds'), '=', sql.lit(minRounds)),
  ]);
}
