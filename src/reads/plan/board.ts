import { sql } from 'kysely';

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
import { parts } from './parts.ts';
import {
  type Column,
  constant,
  type PlanSelection,
  type From,
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
import { certaintyOf, isBoard, WINDOW_NEEDS, windowColumns } from './standing.ts';

/** A requested board, over all rounds or those of one kind. */
export interface AskedBoard extends KeptBoard {
  readonly kind: Kind | null;
}

/** The first rows of a window's board. */
export interface Board {
  readonly kind: Kind | null;
  /** Null before any are computed, and on boards without rank intervals. */
  readonly rankIntervalsAt: Date | null;
  readonly period: Period;
  readonly orderBy: BoardOrder;
  readonly minRounds: number;
  readonly updatedAt: Date;
}

/** True if the resolution itself writes this board. Follow-up jobs write the others. */
export function isLive({ kind, orderBy, minRounds }: AskedBoard): boolean {
  return kind === null && orderBy === DEFAULT_ORDER && minRounds === 0;
}

/** The board with its first rows, as of the newest resolution, or of the one before while follow-up work runs. */
export function boardOf(
  asked: AskedBoard & { readonly limit: number },
  selected: readonly PlanSelection[],
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
  return one(row(type, selected, rows), isLive(asked) ? PLATFORM : orderedBoard(asked));
}

const { p, kept, o } = byAlias({ p: 'platform', kept: 'ordered_boards', o: 'ordered_boards' }, 'kept', 'o');

const PLATFORM = parts.selectFrom('platform as p').where('p.id', '=', sql.lit(1));

function updatedAt(asked: AskedBoard) {
  if (isLive(asked)) return p('boards_updated_at');
  return parts.fn.coalesce(kept('updated_at'), asked.kind === null ? p('boards_updated_at') : p('created_at'));
}

const { a, s, b, e, t } = byAlias(
  { a: 'agents', s: 'standings', b: 'board_places', e: 'earlier_ranks', t: 'recent_points' },
  'e',
);

/** Columns of the agent `a` and its standing `s`. */
const OF_AGENT = {
  ...a.plain('name'),
  ...s.plain('current_streak', 'best_streak', 'tier'),
};

/** The rank of the agent `a` on a window's board a day before, null on a board of other orders, and its points since. */
function trendColumns(period: Period, orderBy: BoardOrder | null) {
  const ranks = parts.selectFrom('earlier_ranks as e').where('e.period', '=', sql.lit(period));
  return {
    earlierRank:
      orderBy === null
        ? constant<number | null>(null)
        : one(
            plain(sql<number | null>`${e('ranks')} -> ${a('id')}::text`),
            ranks.where('e.order_by', '=', sql.lit(orderBy)),
          ),
    recentPoints: one(
      plainOr<readonly number[]>([], parts.fn.toJson(t('points'))),
      parts.selectFrom('recent_points as t').where('t.agent_id', '=', a('id')),
    ),
  };
}

/** The time of the newest decision in the board's rank intervals. */
function rankIntervalsAt({ kind, period, orderBy, minRounds }: AskedBoard): Column<Date | null> {
  if (kind !== null || minRounds !== DEFAULT_MIN_ROUNDS[orderBy]) return constant(null);
  const board = parts.selectFrom('ordered_boards as o').where(isBoard(period, orderBy, minRounds));
  return one(instantOrNull(o('updated_at')), board.where(o('sure_places'), '<>', sql<{}>`'{}'`));
}

const agentOfRow: NestedField = ({ selected }, { agent }) => agent(selected);

/** By points, then wins, then lower id, as resolution stores the places. */
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
  const from = parts
    .selectFrom('board_places as b')
    .innerJoin('agents as a', 'a.id', 'b.agent_id')
    .innerJoin('standings as s', 's.agent_id', 'b.agent_id')
    .where('b.period', '=', sql.lit(period))
    .where('b.position', '<=', sql.lit(limit));
  return rowsOf(type, from.orderBy('b.position'));
}

const NEEDS = {
  credentialTier: ['tier'],
  rankInterval: ['certainty'],
  tiedWithAbove: ['certainty'],
  rankChange: ['earlierRank'],
} as const;

/** A row of a board, with the present streaks and tier. */
export interface BoardRow
  extends Omit<OrderedPlace, 'value' | 'interval'>, RowOf<typeof OF_AGENT>, Partial<BoardValue> {
  readonly earlierRank: number | null;
  readonly recentPoints: readonly number[];
  /** Null if the row has no rank interval, or it is not computed yet. */
  readonly certainty: RankInterval | null;
}

/** The platform `p`, and the stored board `kept` that contains the requested one. */
function orderedBoard({ kind, ...asked }: AskedBoard): From {
  const { period, orderBy, minRounds } = asked;
  const least = sql<number>`${kind === null ? keptMinRounds(orderBy, minRounds) : keptOfKind(asked)}::int`;
  const isKept = parts.and([
    parts(kept('period'), '=', period),
    parts(kept('order_by'), '=', orderBy),
    parts(kept('min_rounds'), '=', least),
  ]);
  return kind === null
    ? PLATFORM.leftJoin('ordered_boards as kept', (join) => join.on(isKept))
    : PLATFORM.leftJoin('kind_boards as kept', (join) => join.on('kept.kind', '=', kind).on(isKept));
}

/** The rows as stored; fewer than `limit` if most stored places have fewer rounds than requested. */
function orderedRows(asked: AskedBoard & { readonly limit: number }): NestedField {
  const { kind, period, orderBy, minRounds, limit } = asked;
  const isUsual = kind === null && minRounds === DEFAULT_MIN_ROUNDS[orderBy];
  const type = rowType({
    columns: {
      place: plain(sql.ref<OrderedPlace>('x.place')),
      ...OF_AGENT,
      certainty: isUsual
        ? plain(sql<RankInterval | null>`${kept('sure_places')} -> (x.place ->> 'agentId')`)
        : constant<RankInterval | null>(null),
      ...trendColumns(period, isUsual ? orderBy : null),
    },
    always: ['place'],
    needs: NEEDS,
    nested: { agent: agentOfRow },
  });
  const from = sql`(
      select place, position from jsonb_array_elements(${kept('places')}) with ordinality as of_board(place, position)
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
