import { type Expression, sql, type SqlBool } from 'kysely';

import { extract, property } from '../reads/fragments.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { plain } from '../reads/plan/plan.ts';
import { AMENDMENT } from '../reads/plan/amendment.ts';
import { PREDICTION, SCORE } from '../reads/plan/prediction.ts';
import { ROUND } from '../reads/plan/round.ts';
import { ASSETS } from '../rules/assets.ts';
import { UNITS } from '../rules/payoffs.ts';
import type { Picks } from '../rules/predictions.ts';
import { ARCHIVE_LIST } from './archive-list.ts';
import { type Column, column, figure } from './columns.ts';
import { type ExportList, IS_OVER, PREDICTION_IDS, QUESTION_PARAMS, ROUND_ASSETS, ROUND_IDS } from './export-list.ts';
import { forecastsOf, LAST_FORECAST } from './forecast-list.ts';
import { PREDICTION_FILTERS, ROUND_FILTERS } from './filters.ts';
import { PRICE_LISTS } from './price-lists.ts';
import { RATIONALE_LIST } from './rationale-list.ts';

const { p, r, d, m } = byAlias({ p: 'predictions', r: 'rounds', d: 'round_assets', m: 'amendments' });

/** Whole milliseconds: times of a fast clock still differ. */
const LEAD = parts(r('end_time'), '-', p('submitted_at'));
const LEAD_SECONDS = plain(parts.fn<string>('round', [extract('epoch', LEAD), sql.lit(3)]));

const WHERE_KNOWN = 'null until scored, or if unknown.';

const P = PREDICTION.columns;
const R = ROUND.columns;
const M = AMENDMENT.columns;

/** The columns of `/api/export/predictions`: predictions `p`, their rounds `r`, agents `a` and scores `s`. */
const PREDICTION_COLUMNS: readonly Column[] = [
  column('id', 'integer', P.id, 'From 1, ascending with submission.'),
  column('round_id', 'integer', P.roundId, 'The round.'),
  column('round_status', 'text', R.status, 'active, resolving, resolved or void.'),
  column('question_type', 'text', R.questionType, 'One of the 13 kinds.'),
  column('start_time', 'day', R.startTime, "The round's start, UTC."),
  column('agent_id', 'integer', P.agentId, 'The agent.'),
  column('agent_name', 'text', P.agentName, "The agent's name."),
  column('prediction', 'text', P.prediction, "One of the round's choices; null while it is sealed."),
  column(
    'answers',
    'integer',
    plain(parts.fn<number>('jsonb_array_length', [r('choices')])),
    'The number of answers of the round.',
  ),
  column('confidence', 'integer', P.confidence, 'Percent, 0-100; null while it is sealed.'),
  column('submitted_at', 'second', P.submittedAt, 'When it was accepted, UTC.'),
  column('is_correct', 'flag', P.isCorrect, '1 or 0; null until scored.'),
  column('score', 'integer', P.score, 'Table points and consistency bonus; null until scored.'),
  column('streak_bonus', 'integer', P.streakBonus, 'Extra points for the streak; null until scored.'),
  column('place', 'integer', P.place, 'Place in the round from 1; null until scored.'),
  column('arena_points', 'integer', P.arenaPoints, 'Rank bonus; null until scored.'),
  column('pnl_usd', 'number', P.pnlUsd, 'Simulated profit or loss in USD; null until scored.'),
  column('end_time', 'day', R.endTime, "The round's end, UTC."),
  column('lead_seconds', 'number', LEAD_SECONDS, 'Seconds from submission to the end of the round.'),
  column(
    'brier',
    'number',
    P.brier,
    'Squared error of the confidence in the one answer picked, 0-1; null until scored.',
  ),
  column(
    'edge',
    'number',
    figure(UNITS.edge, P.edge),
    `Gain over the price at submission, in Brier scores summed over all answers, -2 to 2: another scale than brier; ${WHERE_KNOWN}`,
  ),
  column(
    'contribution',
    'number',
    figure(UNITS.contribution, P.contribution),
    `The crowd's gain by it, in Brier scores summed over all answers, -2 to 2; ${WHERE_KNOWN}`,
  ),
  column(
    'peer_score',
    'number',
    figure(UNITS.peer, P.peerScore),
    `100 x (its log score - the mean of the others'); ${WHERE_KNOWN}`,
  ),
  column(
    'arena_edge',
    'number',
    figure(UNITS.edge, P.arenaEdge),
    `Gain over the arena's forecast just before submission, in Brier scores summed over all answers, -2 to 2; ${WHERE_KNOWN}`,
  ),
  column('standing', 'flag', P.standing, "1 if the service made it from the agent's standing predictions, else 0."),
];

/** The columns of `/api/export/rounds`: rounds `r`, prices of their assets `x`, newest amendments `m`. */
const ROUND_COLUMNS: readonly Column[] = [
  column('id', 'integer', R.id, 'From 1, ascending with time.'),
  column('question', 'text', R.question, 'The question in words.'),
  column('question_type', 'text', R.questionType, 'One of the 13 kinds.'),
  column('prediction_format', 'text', R.predictionFormat, 'choice or boolean.'),
  column('choices', 'list', R.choices, 'The valid answers.'),
  ...QUESTION_PARAMS,
  column('start_time', 'day', R.startTime, 'The start of the hour, UTC.'),
  column('end_time', 'day', R.endTime, 'One hour later, UTC.'),
  column('status', 'text', R.status, 'upcoming, active, resolving, resolved or void.'),
  column('total_entries', 'integer', R.totalEntries, 'Predictions so far.'),
  column('source', 'text', R.source, 'The market source that decides.'),
  column('outcome', 'text', R.outcome, 'The winning answer; null until resolved.'),
  column('resolution_value', 'integer', R.resolutionValue, 'The outcome as a number, as in REST; null until resolved.'),
  column('void_reason', 'text', R.voidReason, 'Why it has no outcome; null unless void.'),
  column('decided_at', 'instant', R.decidedAt, 'When it was resolved or void, UTC, or null.'),
  column(
    'difficulty',
    'number',
    figure(UNITS.difficulty, R.difficultyMillionths),
    'Mean Brier score of its predictions, 0-1; null unless resolved with predictions.',
  ),
  ...ASSETS.flatMap((asset) => {
    const symbol = asset.toLowerCase();
    const prices = property(sql.ref('x.by_asset'), sql.lit(asset));
    const price = (key: string) => plain(property<string | null>(prices, sql.lit(key), '->>'));
    return [
      column(`start_${symbol}_price`, 'number', price('open'), `${asset} at the start, USD; null unless it decided.`),
      column(`end_${symbol}_price`, 'number', price('close'), `${asset} at the end, USD; null unless it decided.`),
      column(`${symbol}_return_pct`, 'number', price('return_pct'), `${asset}, percent; null unless it decided.`),
    ];
  }),
  column('rules_version', 'integer', R.rulesVersion, 'The version of the rules that it is scored by.'),
  ...LAST_FORECAST,
  column('assets', 'list', ROUND_ASSETS, 'The assets that decide it, in the order of their prices in `quotes`.'),
  column('amended_at', 'instant', M.amendedAt, 'When it was last amended, UTC, or null.'),
  column('amend_reason', 'text', M.reason, "The operator's reason for the amendment, or null."),
  column(
    'first_outcome',
    'text',
    plain(sql.ref<string | null>('m.first_outcome')),
    'The winning answer of the first decision; null unless amended.',
  ),
  column(
    'first_void_reason',
    'text',
    plain(sql.ref<string | null>('m.first_void_reason')),
    "The first decision's reason for a void round; null unless amended.",
  ),
  column('archived', 'flag', R.archived, '1 if its predictions are only in an archive of its month, else 0.'),
];

function predictionsOf(columns: readonly Column[]): ExportList {
  return {
    name: 'predictions',
    columns,
    filters: PREDICTION_FILTERS,
    ...PREDICTION_IDS,
    rows: parts
      .selectFrom('predictions as p')
      .innerJoin('rounds as r', 'r.id', 'p.round_id')
      .innerJoin('agents as a', 'a.id', 'p.agent_id')
      .leftJoinLateral(SCORE.as('s'), (join) => join.onTrue()),
  };
}

const PRICES = parts.fn(
  'jsonb_build_object',
  (['open', 'close', 'return_pct'] as const).flatMap((name) => [sql.lit(name), d(name)]),
);

const PRICES_BY_ASSET = parts
  .selectFrom('round_assets as d')
  .select(parts.fn('jsonb_object_agg', [d('asset'), PRICES]).as('by_asset'))
  .where('d.round_id', '=', r('id'));

const NEWEST_AMENDMENT = parts
  .selectFrom('amendments as m')
  .select(['m.amended_at', 'm.reason'])
  .select([first(m('previous_outcome')).as('first_outcome'), first(m('previous_void_reason')).as('first_void_reason')])
  .where('m.round_id', '=', r('id'))
  .orderBy('m.amended_at', 'desc')
  .limit(sql.lit(1));

function first(value: Expression<unknown>) {
  return parts.fn.agg('first_value', [value]).over((over) => over.orderBy(m('amended_at')));
}

/** `shown` is the condition on rounds `r` whose forecasts are public. */
function roundsOf(shown: Expression<SqlBool>): ExportList {
  const forecasts = parts.selectFrom('round_forecasts as t').selectAll().where('t.round_id', '=', r('id')).where(shown);
  const newest = forecasts.orderBy('t.minute', 'desc').limit(sql.lit(1));
  return {
    name: 'rounds',
    columns: ROUND_COLUMNS,
    filters: ROUND_FILTERS,
    ...ROUND_IDS,
    rows: parts
      .selectFrom('rounds as r')
      .leftJoinLateral(PRICES_BY_ASSET.as('x'), (join) => join.onTrue())
      .leftJoinLateral(newest.as('f'), (join) => join.onTrue())
      .leftJoinLateral(NEWEST_AMENDMENT.as('m'), (join) => join.onTrue()),
  };
}

/** Columns that reveal an agent's answer. */
const PICK_COLUMNS: readonly string[] = ['prediction', 'confidence'];

/** The same column, null until the prediction's round is over. */
function sealed(one: Column): Column {
  if (!PICK_COLUMNS.includes(one.name)) return one;
  return { ...one, value: { ...one.value, sql: parts.case().when(IS_OVER).then(one.value.sql).end() } };
}

/** Lists without rows of running rounds, or without anything sealed in them. */
const OTHER_LISTS: readonly ExportList[] = [...PRICE_LISTS, ARCHIVE_LIST, RATIONALE_LIST];

/** The exported lists, by the visibility of answers while a round runs. */
export const EXPORT_LISTS: Readonly<Record<Picks, readonly ExportList[]>> = {
  open: [predictionsOf(PREDICTION_COLUMNS), roundsOf(sql.lit(true)), forecastsOf(sql.lit(true)), ...OTHER_LISTS],
  sealed: [predictionsOf(PREDICTION_COLUMNS.map(sealed)), roundsOf(IS_OVER), forecastsOf(IS_OVER), ...OTHER_LISTS],
};
