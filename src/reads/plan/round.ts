import { type AliasableExpression, type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../../limits.ts';
import { pageSize } from '../paging.ts';
import { predictionsOfRound, type RoundPredictionOrder } from '../prediction-lists.ts';
import { roundPageOf } from '../prediction-pages.ts';
import { byAlias } from './by-alias.ts';
import { candlesOf, ROUND_ASSET } from './candles.ts';
import { pageOf, pageRows } from './page.ts';
import { parts, queries } from './parts.ts';
import { type Column, instantOrNull, ofParent, one, plain, type RowOf, rowsOf, rowType } from './plan.ts';
import { SCORES } from '../scores.ts';
import { AMENDMENT } from './amendment.ts';

const { r, n, l } = byAlias({ r: 'rounds', n: 'rounds', l: 'log_records' }, 'n', 'l');

/** The id of the next or previous round in time: after a restore ids have gaps. */
function neighbour(side: '<' | '>', order: 'asc' | 'desc') {
  const others = parts.selectFrom('rounds as n').where('n.start_time', side, r('start_time'));
  return one(plain(n('id')), others.orderBy('n.start_time', order).limit(sql.lit(1)));
}

const COLUMNS = {
  previousId: neighbour('<', 'desc'),
  nextId: neighbour('>', 'asc'),
  ...r.plain('id', 'question', 'question_type', 'prediction_format', 'choices', 'subject', 'operator', 'n'),
  /** Signed percent of the start price, exact. */
  ...r.decimal('threshold_pct'),
  ...r.instant('start_time', 'end_time', 'decided_at'),
  ...r.plain('status', 'source', 'total_entries', 'outcome', 'resolution_value', 'void_reason', 'void_note'),
  ...r.plain('difficulty_millionths', 'rules_version', 'archived'),
  sealedAt: one(
    instantOrNull(l('at')),
    parts.selectFrom('log_records as l').where('l.round_id', '=', r('id')).where('l.kind', '=', sql.lit('closed')),
  ),
};

/** A round, as in the schema. */
export type RoundRow = RowOf<typeof COLUMNS>;

export const ROUNDS = parts.selectFrom('rounds as r');

/** A row `r` of `rounds`. */
export const ROUND = rowType({
  columns: COLUMNS,
  always: ['id'],
  needs: {
    difficulty: ['difficultyMillionths'],
    params: ['subject', 'operator', 'thresholdPct', 'n'],
    timeRemainingSeconds: ['endTime'],
    crowd: ['status', 'choices', 'totalEntries'],
    crowdHistory: ['status', 'choices', 'startTime', 'totalEntries'],
    results: ['status', 'endTime'],
    forecast: ['startTime', 'status', 'choices', 'rulesVersion'],
    forecasts: ['startTime', 'status', 'choices', 'rulesVersion'],
    missedForecasts: ['startTime'],
    reference: ['startTime', 'status'],
    quotes: ['status'],
    latestReference: ['startTime', 'status'],
    referenceBasis: ['startTime'],
  },
  nested: {
    assets: rowsOf(
      ROUND_ASSET,
      parts.selectFrom('round_assets as t').where('t.round_id', '=', r('id')).orderBy('t.position'),
    ),
    ...candlesOf(r('id'), sql.lit(0)),
    amendments: rowsOf(
      AMENDMENT,
      parts.selectFrom('amendments as m').where('m.round_id', '=', r('id')).orderBy('m.amended_at'),
    ),
    predictions: ({ args, selected }, { prediction }) =>
      ofParent(parentOf(args.orderBy), pageOf(roundPageOf(args), selected, prediction)),
    entries: ({ args, selected }, { prediction }) => ofParent(r('id'), entries(args, prediction(selected))),
    results: ({ args, selected }, { prediction }) => results(args, prediction(selected)),
  },
});

/** An undecided round has no places: a look for them would pass by each score that is being written. */
function parentOf(orderBy: unknown): AliasableExpression<number | null> {
  const isByPlace = orderBy === 'PLACE' || orderBy === 'PLACE_LAST';
  return isByPlace ? parts.case(r('status')).when(sql.lit('resolved')).then(r('id')).end() : r('id');
}

interface SliceArguments {
  readonly limit?: number | null;
  /** The id of the last entry of the page before. */
  readonly after?: number | null;
}

/** The predictions of the round `parent.id`, in the order of submission. */
function entries({ limit, after }: SliceArguments, prediction: Column): Column {
  return slice('OLDEST', limit, { behind: after || null, prediction });
}

interface Slice {
  readonly behind: number | RawBuilder<unknown> | null;
  readonly prediction: Column;
}

function slice(order: RoundPredictionOrder, limit: number | null | undefined, { behind, prediction }: Slice) {
  const first = pageSize('limit', limit, PAGE_SIZES.entries);
  const page = { first, after: behind === null ? null : [behind] };
  return pageRows({ list: predictionsOfRound({}, order), page }, prediction);
}

/**
 * A resolved round's predictions by place, a void round's in the order of submission. Undefined for an undecided round,
 * and where `after` is none of the results: then the resolver throws.
 */
function results(args: SliceArguments, prediction: Column): Column {
  const { limit, after } = args;
  const behind = after ? sql.ref('parent.place') : null;
  const byPlace = slice('PLACE', limit, { behind, prediction });
  const inOrder = entries(args, prediction);
  const placeOfAfter = parts
    .selectFrom('predictions as p')
    .innerJoin(SCORES.as('s'), (join) =>
      join.onRef('s.round_id', '=', 'p.round_id').onRef('s.agent_id', '=', 'p.agent_id'),
    )
    .select('s.place')
    .where('p.id', '=', parts.cast<number>(parts.val(after ?? null), 'int8'))
    .where('p.round_id', '=', r('id'));
  const value = sql`case ${r('status')}
    when 'resolved' then (select case when ${behind === null} or parent.place is not null then ${byPlace.sql} end)
    when 'void' then ${inOrder.sql} end`;
  // `offset 0` finds the place once, not for each row.
  const once = queries.selectNoFrom([r('id').as('id'), placeOfAfter.as('place')]).offset(sql.lit(0));
  return {
    ...one({ ...byPlace, sql: value }, parts.selectFrom(once.as('parent'))),
    read: (json) => (json === null ? undefined : byPlace.read?.(json)),
  };
}
