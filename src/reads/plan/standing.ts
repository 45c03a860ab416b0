import { type RawBuilder, sql } from 'kysely';

import { RANK_LEVELS } from '../../entities/boards.ts';
import type { RankInterval } from '../../rules/statistics/rank-intervals.ts';
import { EXTENDED, type ExtendedSums, type Sum, sumType, TOTALS, type Totals } from '../../rules/sums.ts';
import { type Period, PERIODS } from '../../rules/windows.ts';
import {
  type Column,
  constant,
  made,
  one,
  type NestedField,
  plain,
  plainOr,
  row,
  type RowOf,
  rowType,
} from './plan.ts';

/** A window's sums over the resolved rounds that an agent predicted, of a standing `s` or nothing. */
export function windowColumns(period: Period) {
  const column = ({ column: name }: Sum): RawBuilder<unknown> => sql.ref(`s.${period}_${name}`);
  const totals = Object.entries<Sum>(TOTALS).map(([name, sum]) => [
    name,
    typeof sumType(sum) === 'string' ? plainOr(0, column(sum)) : plainOr('0', sql`${column(sum)}::text`),
  ]);
  return made<TotalColumns & { readonly extendedSums: Column<ExtendedSums> }>({
    ...Object.fromEntries(totals),
    extendedSums: extendedSums(column),
  }).value;
}

type TotalColumns = { readonly [Name in keyof Totals]: Column<Totals[Name]> };

/** An agent's sums over the resolved rounds of one window that it predicted. */
export type WindowFigures = RowOf<ReturnType<typeof windowColumns>>;

/** The sums of an agent without a scored prediction. */
export const NO_SUMS = made<ExtendedSums>(
  Object.assign(Object.create(null), Object.fromEntries(Object.entries<Sum>(EXTENDED).map(([name]) => [name, 0]))),
).value;

function extendedSums(column: (sum: Sum) => RawBuilder<unknown>): Column<ExtendedSums> {
  const members = Object.entries<Sum>(EXTENDED).map(([name, sum]) => sql`${sql.lit(name)}, ${column(sum)}`);
  return {
    sql: sql`json_build_object(${sql.join(members)})`,
    // All of them are null where there is no standing.
    read: (json) => (isFilled(json) ? json : NO_SUMS),
  };
}

function isFilled(json: unknown): json is ExtendedSums {
  return typeof json === 'object' && json !== null && 'edge' in json && json.edge !== null;
}

/** The fields that resolvers make of a window's sums. */
export const WINDOW_NEEDS = {
  totalPoints: ['points'],
  totalArenaPoints: ['arenaPoints'],
  totalWins: ['wins'],
  totalCompetitions: ['competitions'],
  winRate: ['wins', 'competitions'],
  simPnlTotal: ['pnlUsd'],
} as const;

/** A window's sums as one value, of a standing `s`. */
export function windowObject(period: Period): RawBuilder<unknown> {
  const members = Object.entries(windowColumns(period)).map(([name, column]) => sql`${sql.lit(name)}, ${column.sql}`);
  return sql`json_build_object(${sql.join(members)})`;
}

/** The agent `a` as `agent`, and its standing `s` or nothing. */
export const STANDING_OF_AGENT = sql`(select a.id) agent(id) left join standings s on s.agent_id = agent.id`;

function standingColumns(period: Period) {
  return {
    period: constant(period),
    ...windowColumns(period),
    rank: plain<number | null>(sql`case when ${sql.ref(`s.${period}_competitions`)} > 0 then ${rankIn(period)} end`),
    certainty: certaintyOf(period, sql`agent.id`),
  };
}

/** An agent's sums in a window. */
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
      rankInterval: ['certainty'],
      tiedWithAbove: ['certainty'],
    },
  });
}

/** The standing of an agent `a` in the window that is asked for. */
export const standingIn: NestedField = ({ args, selected }, rows) =>
  one(row(standing(periodOf(args)), selected, rows), STANDING_OF_AGENT);

/** The window that a field's argument names. */
export function periodOf(args: Readonly<Record<string, unknown>>): Period {
  return PERIODS.find((period) => period === args['period']) ?? 'weekly';
}

/**
 * The rank of a standing `s` on a window's whole board, if it is on it. It is 1 and all who are counted above: at the widest
 * level the buckets above the agent's, at each narrower one those above within the wider bucket.
 */
function rankIn(period: Period): RawBuilder<number> {
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

/**
 * How sure the place of an agent is on a window's board by points, as one value; null where it is none of the first 100. It
 * is that of the board as it is, and null until it is worked out; or the newest that is known, also of the round before.
 */
export function certaintyOf(
  period: Period,
  agentId: RawBuilder<unknown>,
  of: 'present' | 'newest' = 'present',
): Column<RankInterval | null> {
  const isPresent = of === 'present' ? sql`join platform q on q.id = 1 and q.boards_updated_at = o.updated_at` : sql``;
  return plain(sql`(select o.sure_places -> (${agentId})::text from ordered_boards o ${isPresent}
    where o.period = ${sql.lit(period)} and o.order_by = 'POINTS' and o.min_rounds = 0)`);
}
