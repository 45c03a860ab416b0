import { sql } from 'kysely';

import { intervals } from '../reads/fragments.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { AGREED_CANDLE, EVIDENCE } from '../reads/plan/candles.ts';
import { parts } from '../reads/plan/parts.ts';
import { instant, plain } from '../reads/plan/plan.ts';
import { ROUND } from '../reads/plan/round.ts';
import { ASSETS } from '../rules/assets.ts';
import { GRID_MS, GRID_POINTS } from '../rules/grid.ts';
import { SECOND } from '../rules/hours.ts';
import { type Column, column } from './columns.ts';
import {
  type ExportList,
  figures,
  idsOfRound,
  OF_ROUND,
  QUESTION_PARAMS,
  ROUND_ASSETS,
  ROUND_IDS,
  rowNumber,
} from './export-list.ts';
import { CANDLE_FILTERS, ROUND_FILTERS } from './filters.ts';

/* The data that decides rounds and references: candles, prices within the hour, volatilities. */

/** More than the candles of a round: 3 sources, 8 assets, 2 hours. */
const CANDLE_IDS = idsOfRound(100, sql.ref<number>('t.number'));

const AGREED = AGREED_CANDLE.columns;

const CANDLE_COLUMNS: readonly Column[] = [
  column('id', 'integer', plain(CANDLE_IDS.id), "100 x the round + the row's number in it, ascending with time."),
  ...OF_ROUND,
  column('asset', 'text', AGREED.asset, 'One of the assets that decide the round.'),
  column('hour_start', 'instant', AGREED.hourStart, "The candle's hour: the round's, or the one before it, UTC."),
  column('open', 'number', AGREED.open, 'First price of the hour, USD.'),
  column('high', 'number', AGREED.high, 'Highest price, USD.'),
  column('low', 'number', AGREED.low, 'Lowest price, USD.'),
  column('close', 'number', AGREED.close, 'Last price, USD.'),
  column('volume', 'number', AGREED.volume, 'Traded in the hour, in units of the asset.'),
];

const SHOWN = EVIDENCE.columns;
const AS_WRITTEN = 'as the source wrote it; null where it had no readable one.';

const EVIDENCE_COLUMNS: readonly Column[] = [
  column('id', 'integer', plain(CANDLE_IDS.id), "100 x the round + the row's number in it, ascending with time."),
  ...OF_ROUND,
  column('source', 'text', SHOWN.source, 'The source: an exchange, or the market of the service.'),
  column('asset', 'text', SHOWN.asset, 'One of the assets that decide the round.'),
  column('hour_start', 'instant', SHOWN.hourStart, "The candle's hour: the round's, or the one before it, UTC."),
  column('open', 'text', SHOWN.open, `USD, ${AS_WRITTEN}`),
  column('high', 'text', SHOWN.high, `USD, ${AS_WRITTEN}`),
  column('low', 'text', SHOWN.low, `USD, ${AS_WRITTEN}`),
  column('close', 'text', SHOWN.close, `USD, ${AS_WRITTEN}`),
  column('volume', 'text', SHOWN.volume, `Units of the asset, ${AS_WRITTEN}`),
  column('counted', 'flag', SHOWN.counted, '1 if the median of the agreed candle includes it, else 0.'),
  column('left_out', 'text', SHOWN.leftOut, 'The reason why it does not count; null if it does.'),
  column('body_hash', 'text', SHOWN.bodyHash, 'SHA-256 of the body that it came in, in hex; null without one.'),
  column('source_time', 'instant', SHOWN.sourceTime, "The source's own time of its answer, UTC; null if it gave none."),
  column('fetched_at', 'instant', SHOWN.fetchedAt, 'When it was fetched, UTC.'),
];

const { t: quote, r } = byAlias({ t: 'round_quotes', r: 'rounds' });
const QUOTE_IDS = idsOfRound(GRID_POINTS, quote('point'));
const AT = parts(r('start_time'), '+', intervals(quote('point'), GRID_MS));

const QUOTE_COLUMNS: readonly Column[] = [
  column('id', 'integer', plain(QUOTE_IDS.id), `${GRID_POINTS} x the round + the point, ascending with time.`),
  ...OF_ROUND,
  column('point', 'integer', plain(quote('point')), `From 0, every ${GRID_MS / SECOND} s of the hour.`),
  column('at', 'instant', instant(AT), "The point's time, UTC."),
  column('assets', 'list', ROUND_ASSETS, 'The assets that decide the round, in the order of the prices.'),
  column('prices', 'numbers', figures(quote('prices')), 'The prices known then, USD; those of point 0 are the open.'),
  column('highs', 'numbers', figures(quote('highs')), 'The highest since the hour began, USD.'),
  column('lows', 'numbers', figures(quote('lows')), 'The lowest since the hour began, USD.'),
];

const R = ROUND.columns;
const { t: basis } = byAlias({ t: 'reference_bases' });

const REFERENCE_COLUMNS: readonly Column[] = [
  column('id', 'integer', R.id, 'The round, ascending with time.'),
  ...OF_ROUND,
  column('choices', 'list', R.choices, 'The valid answers.'),
  column('assets', 'list', ROUND_ASSETS, 'The assets that decide the round, in its order.'),
  ...QUESTION_PARAMS,
  column(
    'covariance',
    'numbers',
    figures(basis('covariance')),
    `Covariances of hourly log returns of the 168 hours before, 64 numbers, row by row: ${ASSETS.join(', ')}.`,
  ),
  column(
    'sign_before',
    'integer',
    plain(basis('sign_before')),
    "-1, 0 or 1: the sign of the subject's return in the hour before; null where the question does not ask for it, or it is not known.",
  ),
  column('rules_version', 'integer', R.rulesVersion, 'The version of the rules that it is scored by.'),
];

const { agreed, shown } = byAlias({ agreed: 'agreed_candles', shown: 'candles' });

/** Candles `t` of rounds `r`, numbered within the round from 1. */
const AGREED_OF_ROUND = parts.selectFrom('rounds as r').crossJoinLateral(
  parts
    .selectFrom('agreed_candles as agreed')
    .selectAll()
    .select(rowNumber(agreed('hour_start'), agreed('asset')).as('number'))
    .where('agreed.round_id', '=', r('id'))
    .where('agreed.amendment_id', '=', sql.lit(0))
    .as('t'),
);
const SHOWN_OF_ROUND = parts.selectFrom('rounds as r').crossJoinLateral(
  parts
    .selectFrom('candles as shown')
    .selectAll()
    .select(rowNumber(shown('hour_start'), shown('asset'), shown('source')).as('number'))
    .where('shown.round_id', '=', r('id'))
    .where('shown.amendment_id', '=', sql.lit(0))
    .as('t'),
);

export const PRICE_LISTS: readonly ExportList[] = [
  { name: 'candles', ...CANDLE_IDS, columns: CANDLE_COLUMNS, filters: CANDLE_FILTERS, rows: AGREED_OF_ROUND },
  {
    name: 'quotes',
    hasMinutes: true,
    ...QUOTE_IDS,
    columns: QUOTE_COLUMNS,
    filters: ROUND_FILTERS,
    rows: parts.selectFrom('round_quotes as t').innerJoin('rounds as r', 'r.id', 't.round_id'),
  },
  {
    name: 'references',
    ...ROUND_IDS,
    columns: REFERENCE_COLUMNS,
    filters: ROUND_FILTERS,
    rows: parts.selectFrom('reference_bases as t').innerJoin('rounds as r', 'r.id', 't.round_id'),
  },
  { name: 'evidence', ...CANDLE_IDS, columns: EVIDENCE_COLUMNS, filters: CANDLE_FILTERS, rows: SHOWN_OF_ROUND },
];
