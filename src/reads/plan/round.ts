import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../../limits.ts';
import { pageSize } from '../paging.ts';
import { predictionsOfRound, type RoundPredictionOrder } from '../prediction-lists.ts';
import { roundPageOf } from '../prediction-pages.ts';
import { byAlias } from './by-alias.ts';
import { candlesOf, ROUND_ASSET } from './candles.ts';
import { listed, pageOf } from './page.ts';
import { type Column, ofParent, one, plain, type RowOf, rowsOf, rowType } from './plan.ts';
import { SCORES } from '../scores.ts';
import { AMENDMENT } from './amendment.ts';

const { r } = byAlias({ r: 'rounds' });

/** The id of the next round in time, or of the one before: after a restore ids have gaps. */
const neighbour = (side: '<' | '>', order: 'asc' | 'desc') =>
  plain<number | null>(sql`(select n.id from rounds n where n.start_time ${sql.raw(side)} r.start_time
    order by n.start_time ${sql.raw(order)} limit 1)`);

const COLUMNS = {
  previousId: neighbour('<', 'desc'),
  nextId: neighbour('>', 'asc'),
  ...r.plain('id', 'question', 'question_type', 'prediction_format', 'choices', 'subject', 'operator', 'n'),
  /** Signed percent of the start price, exact. */
  ...r.decimal('threshold_pct'),
  ...r.instant('start_time', 'end_time', 'decided_at'),
  ...r.plain('status', 'source', 'total_entries', 'outcome', 'resolution_value', 'void_reason', 'void_note'),
  ...r.plain('difficulty_millionths', 'rules_version'),
};

/** A round as the schema shows it. */
export type RoundRow = RowOf<typeof COLUMNS>;

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
    missedForecasts: ['startTime', 'status', 'choices', 'rulesVersion'],
    reference: ['startTime', 'status'],
    quotes: ['status'],
    latestReference: ['startTime', 'status'],
    referenceBasis: ['startTime'],
  },
  nested: {
    assets: rowsOf(ROUND_ASSET, sql`round_assets t where t.round_id = r.id order by t.position`),
    ...candlesOf(sql`t.round_id = r.id and t.amendment_id = 0`),
    amendments: rowsOf(AMENDMENT, sql`amendments m where m.round_id = r.id order by m.amended_at`),
    predictions: ({ args, selected }, { prediction }) =>
      ofParent(r('id'), pageOf(roundPageOf(args), selected, prediction)),
    entries: ({ args, selected }, { prediction }) => ofParent(r('id'), entries(args, prediction(selected))),
    results: ({ args, selected }, { prediction }) => results(args, prediction(selected)),
  },
});

interface SliceArguments {
  readonly limit?: number | null;
  /** The id of the last entry of the page before. */
  readonly after?: number | null;
}

/** In the order of submission, of the round `parent.id`. */
function entries({ limit, after }: SliceArguments, prediction: Column): Column {
  return slice('OLDEST', limit, { behind: after == null || after === 0 ? null : after, prediction });
}

interface Slice {
  readonly behind: number | RawBuilder<unknown> | null;
  readonly prediction: Column;
}

function slice(order: RoundPredictionOrder, limit: number | null | undefined, { behind, prediction }: Slice) {
  const first = pageSize('limit', limit, PAGE_SIZES.entries);
  const page = { first, after: behind === null ? null : [behind] };
  return listed({ list: predictionsOfRound({}, order), page }, prediction);
}

/**
 * A resolved round's predictions by place; of a void one, which has no places, in the order of submission. Undefined where
 * there are none to be shown, for the resolver to say why: the round is not decided, or `after` names none of its results.
 */
function results(args: SliceArguments, prediction: Column): Column {
  const { limit, after } = args;
  const behind = after == null ? null : sql`parent.place`;
  const byPlace = slice('PLACE', limit, { behind, prediction });
  const inOrder = entries(args, prediction);
  const placeOfAfter = sql`(select s.place from predictions p join ${SCORES} s using (round_id, agent_id)
    where p.id = ${after ?? null}::int8 and p.round_id = r.id)`;
  const value = sql`case r.status
    when 'resolved' then (select case when ${behind === null} or parent.place is not null then ${byPlace.sql} end)
    when 'void' then ${inOrder.sql} end`;
  // `offset 0`: the place is looked up once, not for each row.
  const from = sql`(select r.id as id, ${placeOfAfter} as place offset 0) parent`;
  return {
    ...one({ ...byPlace, sql: value }, from),
    read: (json) => (json === null ? undefined : byPlace.read?.(json)),
  };
}
