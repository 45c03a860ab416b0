import { type RawBuilder, sql } from 'kysely';

import type { OrderedPlace } from '../../entities/ordered-board.ts';
import {
  type BoardOrder,
  DEFAULT_MIN_ROUNDS,
  DEFAULT_ORDER,
  type KeptBoard,
  keptMinRounds,
  rankedAmong,
} from '../../rules/board-orders.ts';
import type { BoardValue } from '../../rules/board-value.ts';
import { type Kind, keptOfKind } from '../../rules/kinds.ts';
import type { RankInterval } from '../../rules/statistics/rank-intervals.ts';
import type { Period } from '../../rules/windows.ts';
import { byAlias } from './by-alias.ts';
import {
  type Column,
  constant,
  type FieldSelection,
  instant,
  instantOrNull,
  many,
  type NestedField,
  one,
  plain,
  plainOr,
  row,
  type RowOf,
  type Rows,
  rowsOf,
  rowType,
} from './plan.ts';
import { certaintyOf, WINDOW_NEEDS, windowColumns } from './standing.ts';

/** A board that is asked for: of all rounds, or of one kind. */
export interface AskedBoard extends KeptBoard {
  readonly kind: Kind | null;
}

/** The first rows of a window's board. */
export interface Board {
  readonly kind: Kind | null;
  /** Null before any are worked out, and on boards that have none. */
  readonly rankIntervalsAt: Date | null;
  readonly period: Period;
  readonly orderBy: BoardOrder;
  readonly minRounds: number;
  readonly updatedAt: Date;
}

/** Whether resolution itself writes this board; the others are made after it. */
export function isLive({ kind, orderBy, minRounds }: AskedBoard): boolean {
  return kind === null && orderBy === DEFAULT_ORDER && minRounds === 0;
}

/** The board, with its first rows: of the state that the newest resolution left, or that was made after it. */
export function boardOf(
  asked: AskedBoard & { readonly limit: number },
  selected: readonly FieldSelection[],
  rows: Rows,
): Column<Board | null> {
  const { kind, period, orderBy, minRounds } = asked;
  const type = rowType({
    columns: {
      kind: constant(kind),
      period: constant(period),
      orderBy: constant(orderBy),
      minRounds: constant(minRounds),
      rankIntervalsAt: rankIntervalsAt(asked),
      updatedAt: instant(updatedAt(asked)),
    },
    always: ['kind', 'period'],
    nested: { rankings: isLive(asked) ? liveRows(asked) : orderedRows(asked) },
  });
  return one(row(type, selected, rows), isLive(asked) ? sql`platform p where p.id = 1` : orderedBoard(asked));
}

function updatedAt({ kind, ...asked }: AskedBoard): RawBuilder<Date> {
  if (kind !== null) return sql`coalesce(b.updated_at, p.created_at)`;
  return isLive({ kind, ...asked }) ? sql`p.boards_updated_at` : sql`coalesce(b.updated_at, p.boards_updated_at)`;
}

const { a, s, b } = byAlias({ a: 'agents', s: 'standings', b: 'board_places' });

/** Of the agent `a` and its standing `s`. */
const OF_AGENT = {
  ...a.plain('name'),
  ...s.plain('current_streak', 'best_streak', 'tier'),
};

/** Of the agent `a` on a window's board: its rank a day before, where the board has one, and what it earned since. */
function trendColumns(period: Period, orderBy: BoardOrder | null) {
  return {
    earlierRank: plain<number | null>(
      orderBy === null
        ? sql`null`
        : sql`(select e.ranks -> a.id::text from earlier_ranks e
            where e.period = ${sql.lit(period)} and e.order_by = ${sql.lit(orderBy)})`,
    ),
    recentPoints: plainOr<readonly number[]>(
      [],
      sql`(select to_json(t.points) from recent_points t where t.agent_id = a.id)`,
    ),
  };
}

/** When the newest round was decided that the board's rank intervals know of. */
function rankIntervalsAt({ kind, period, orderBy, minRounds }: AskedBoard): Column<Date | null> {
  if (kind !== null || minRounds !== DEFAULT_MIN_ROUNDS[orderBy]) return constant(null);
  return instantOrNull(sql`(select o.updated_at from ordered_boards o where o.period = ${sql.lit(period)}
    and o.order_by = ${sql.lit(orderBy)} and o.min_rounds = ${sql.lit(minRounds)} and o.sure_places <> '{}')`);
}

const agentOfRow: NestedField = ({ selected }, { agent }) => agent(selected);

/** By points, then wins, then lower id: resolution keeps the places. */
function liveRows({ period, limit }: { readonly period: Period; readonly limit: number }): NestedField {
  const { brierSum: _, referenceBrierSum: _reference, ...sums } = windowColumns(period);
  const type = rowType({
    columns: {
      ...b.plain('rank', 'agent_id'),
      ...OF_AGENT,
      ...sums,
      certainty: certaintyOf(period, b('agent_id'), 'newest'),
      ...trendColumns(period, DEFAULT_ORDER),
    },
    needs: {
      ...WINDOW_NEEDS,
      ...NEEDS,
      n: ['competitions'],
      value: ['points'],
      interval: ['points', 'competitions', 'extendedSums'],
      edge: ['competitions', 'extendedSums'],
      luck: ['wins', 'competitions', 'pnlUsd', 'extendedSums'],
    },
    nested: { agent: agentOfRow },
  });
  const from = sql`board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = b.agent_id
    where b.period = ${sql.lit(period)} and b.position <= ${sql.lit(limit)} order by b.position`;
  return rowsOf(type, from);
}

const NEEDS = {
  credentialTier: ['tier'],
  rankInterval: ['certainty'],
  tiedWithAbove: ['certainty'],
  rankChange: ['earlierRank'],
} as const;

/** A row of a board. Streaks and tier are the present ones. */
export interface BoardRow
  extends Omit<OrderedPlace, 'value' | 'interval'>, RowOf<typeof OF_AGENT>, Partial<BoardValue> {
  readonly earlierRank: number | null;
  readonly recentPoints: readonly number[];
  /** Null where the place has no rank interval, or none yet. */
  readonly certainty: RankInterval | null;
}

/** The platform `p`, and the kept board `b` from which the one that is asked for is read. */
function orderedBoard({ kind, ...asked }: AskedBoard): RawBuilder<unknown> {
  const { period, orderBy, minRounds } = asked;
  const [boards, kept] =
    kind === null
      ? [sql`ordered_boards b on true`, keptMinRounds(orderBy, minRounds)]
      : [sql`kind_boards b on b.kind = ${kind}`, keptOfKind(asked)];
  return sql`platform p left join ${boards} and b.period = ${period} and b.order_by = ${orderBy}
    and b.min_rounds = ${kept}::int where p.id = 1`;
}

/** As they were made. Fewer than there could be where most of those kept have fewer rounds. */
function orderedRows(asked: AskedBoard & { readonly limit: number }): NestedField {
  const { kind, period, orderBy, minRounds, limit } = asked;
  const isUsual = kind === null && minRounds === DEFAULT_MIN_ROUNDS[orderBy];
  const type = rowType({
    columns: {
      place: plain<OrderedPlace>(sql`x.place`),
      ...OF_AGENT,
      certainty: plain<RankInterval | null>(isUsual ? sql`b.sure_places -> (x.place ->> 'agentId')` : sql`null`),
      ...trendColumns(period, isUsual ? orderBy : null),
    },
    always: ['place'],
    needs: NEEDS,
    nested: { agent: agentOfRow },
  });
  const from = sql`(
      select place, position from jsonb_array_elements(b.places) with ordinality as of_board(place, position)
      where coalesce(place ->> 'counted', place ->> 'competitions')::int >= ${minRounds}::int order by position limit ${limit}
    ) x
    join agents a on a.id = (x.place ->> 'agentId')::int left join standings s on s.agent_id = a.id
    order by x.position`;
  return ({ selected }, rows) => {
    const found = many(row(type, selected, rows), from);
    return {
      ...found,
      read: (json) =>
        rankedAmong((found.read?.(json) ?? []).flatMap((one_) => (one_ ? [{ ...one_, ...one_.place }] : []))),
    };
  };
}
