import { type RawBuilder, sql } from 'kysely';

import type { OrderedPlace } from '../../entities/ordered-board.ts';
import { DEFAULT_MIN_ROUNDS, DEFAULT_ORDER, keptMinRounds } from '../../rules/board-orders.ts';
import { type BoardValue, boardValue, roundsFor } from '../../rules/board-value.ts';
import { keptOfKind } from '../../rules/kinds.ts';
import type { RankInterval } from '../../rules/statistics/rank-intervals.ts';
import { agentColumns } from './board-agent.ts';
import { property } from '../fragments.ts';
import { byAlias } from './by-alias.ts';
import { parts } from './parts.ts';
import {
  type Column,
  constant,
  instant,
  instantOrNull,
  many,
  type NestedField,
  one,
  plain,
  plainOr,
  type PlanSelection,
  row,
  type RowOf,
  type Rows,
  rowsOf,
  type RowSource,
  rowType,
  valueOf,
  whole,
} from './plan.ts';
import {
  type BoardRequest,
  type BoardRowsRequest,
  hasStoredTotal,
  isBeyondStored,
  isWrittenByResolution,
  sortedPlaces,
} from './sorted-board.ts';
import { agentsOn, isBoard, rankIntervalOf, WINDOW_NEEDS, windowColumns } from './standing.ts';

/** A board's request and times. */
export interface Board extends BoardRequest {
  /** Null before any are computed, and on boards without rank intervals. */
  readonly rankIntervalsAt: Date | null;
  readonly updatedAt: Date;
}

/** The board with the requested rows, as of the newest resolution, or of the one before while follow-up work runs. */
export function boardOf(
  request: BoardRowsRequest,
  selected: readonly PlanSelection[],
  rows: Rows,
): Column<Board | null> {
  const { kind, period, orderBy, minRounds } = request;
  const isFromBoardPlaces = isWrittenByResolution(request) && !isBeyondStored(request);
  const type = rowType({
    columns: {
      kind: constant(kind),
      period: constant(period),
      orderBy: constant(orderBy),
      minRounds: constant(minRounds),
      rankIntervalsAt: rankIntervalsAt(request),
      updatedAt: instant(isBeyondStored(request) ? p('boards_updated_at') : updatedAt(request)),
      places: plainOr(
        0,
        isWrittenByResolution(request)
          ? agentsOn(period).$asScalar()
          : sql<number>`coalesce(${hasStoredTotal(request) ? kept('total') : null}, (select count(*) from ${placesOf(request)}))`,
      ),
    },
    always: ['kind', 'period'],
    nested: { rankings: isFromBoardPlaces ? liveRows(request) : orderedRows(request) },
  });
  return one(row(type, selected, rows), isFromBoardPlaces ? PLATFORM : orderedBoard(request));
}

const { p, kept, o } = byAlias({ p: 'platform', kept: 'ordered_boards', o: 'ordered_boards' }, 'kept', 'o');

const PLATFORM = parts.selectFrom('platform as p').where('p.id', '=', sql.lit(1));

function updatedAt(request: BoardRequest) {
  if (isWrittenByResolution(request)) return p('boards_updated_at');
  return parts.fn.coalesce(kept('updated_at'), request.kind === null ? p('boards_updated_at') : p('created_at'));
}

const { a, b } = byAlias({ a: 'agents', b: 'board_places' });

/** The time of the newest decision in the board's rank intervals. */
function rankIntervalsAt({ kind, period, orderBy, minRounds }: BoardRequest): Column<Date | null> {
  if (kind !== null || minRounds !== DEFAULT_MIN_ROUNDS[orderBy]) return constant(null);
  const board = parts.selectFrom('ordered_boards as o').where(isBoard(period, orderBy, minRounds));
  return one(instantOrNull(o('updated_at')), board.where(o('sure_places'), '<>', sql.lit<{}>('{}')));
}

const agentOfRow: NestedField = ({ selected }, { agent }) => agent(selected);

/** By points, then wins, then lower id, as resolution stores the places. */
function liveRows(request: BoardRowsRequest): NestedField {
  const { period, limit, after } = request;
  const { brierSum: _, referenceBrierSum: _reference, ...sums } = windowColumns(period);
  const type = rowType({
    columns: {
      ...b.plain('agent_id', 'rank'),
      ...sums,
      rankInterval: rankIntervalOf(period, b('agent_id'), 'newest'),
      ...agentColumns(period, DEFAULT_ORDER),
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
    .where('b.position', '>', sql.lit(after))
    .where('b.position', '<=', sql.lit(after + limit));
  return rowsOf(type, from.orderBy('b.position'));
}

const NEEDS = {
  credentialTier: ['tier'],
  tiedWithAbove: ['rankInterval'],
  rankChange: ['earlierRank'],
} as const;

/** A row of a board, with the present streaks and tier. */
export interface BoardRow
  extends Omit<OrderedPlace, 'value' | 'interval'>, RowOf<ReturnType<typeof agentColumns>>, Partial<BoardValue> {
  /** Null if the row has no rank interval, or it is not computed yet. */
  readonly rankInterval: RankInterval | null;
}

/** The platform `p`, and the stored board `kept` that contains the requested one. */
function orderedBoard({ kind, ...request }: BoardRequest): RowSource {
  const { period, orderBy, minRounds } = request;
  const least = parts.val(kind === null ? keptMinRounds(orderBy, minRounds) : keptOfKind(request));
  const isKept = parts.and([
    parts(kept('period'), '=', period),
    parts(kept('order_by'), '=', orderBy),
    parts(kept('min_rounds'), '=', parts.cast<number>(least, 'integer')),
  ]);
  return kind === null
    ? PLATFORM.leftJoin('ordered_boards as kept', (join) => join.on(isKept))
    : PLATFORM.leftJoin('kind_boards as kept', (join) => join.on('kept.kind', '=', kind).on(isKept));
}

/** The stored places with at least the requested rounds, ranked among themselves. */
function placesOf({ minRounds }: BoardRequest): RawBuilder<unknown> {
  return sql`(
    select place, position, (rank() over (order by (place ->> 'rank')::int))::int as rank
    from jsonb_array_elements(${kept('places')}) with ordinality as of_board(place, position)
    where coalesce(place ->> 'counted', place ->> 'competitions')::int >= ${minRounds}::int) x`;
}

/** The rows as stored, or sorted; fewer than `limit` if most stored places have fewer rounds than requested. */
function orderedRows(request: BoardRowsRequest): NestedField {
  const { kind, period, orderBy, minRounds, limit, after } = request;
  const isUsual = kind === null && minRounds === DEFAULT_MIN_ROUNDS[orderBy];
  const type = rowType({
    columns: {
      place: isBeyondStored(request) ? placeNow(request) : plain(sql.ref<OrderedPlace>('x.place')),
      rank: plain(sql.ref<number>('x.rank')),
      rankInterval: isUsual
        ? plain(property<RankInterval | null>(kept('sure_places'), parts.cast(sql.ref('x.agent_id'), 'text')))
        : constant<RankInterval | null>(null),
      ...agentColumns(period, isUsual ? orderBy : null),
    },
    always: ['place', 'rank'],
    needs: NEEDS,
    nested: { agent: agentOfRow },
  });
  const stored = sql`(select *, (place ->> 'agentId')::int as agent_id from ${placesOf(request)}
    order by position limit ${limit} offset ${after})`;
  const from = sql`${isBeyondStored(request) ? sortedPlaces(request) : stored} x
    join agents a on a.id = x.agent_id left join standings s on s.agent_id = a.id order by x.position`;
  return ({ selected }, rows) => {
    const found = many(row(type, selected, rows), from);
    return {
      ...found,
      read: (json) =>
        (found.read?.(json) ?? []).flatMap((one_) => (one_ ? [{ ...one_, ...one_.place, rank: one_.rank }] : [])),
    };
  };
}

type Place = Omit<OrderedPlace, 'rank'>;

/** The agent `a` with the present sums of its standing `s`, like a stored place. */
function placeNow({ period, orderBy }: BoardRequest): Column<Place> {
  const column = whole({ ...a.plain('id'), ...windowColumns(period) });
  return {
    sql: column.sql,
    read(json) {
      const { id: agentId, ...window } = valueOf(column, json);
      return { agentId, ...window, counted: roundsFor(orderBy, window), ...boardValue(orderBy, window, null) };
    },
  };
}
