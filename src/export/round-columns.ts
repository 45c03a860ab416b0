import { sql } from 'kysely';

import { ASSETS } from '../rules/assets.ts';
import { column, type Column } from './column.ts';

/** The columns of `/api/export/rounds`; `r` is the round, `x` its assets' prices. */
export const ROUND_COLUMNS: readonly Column[] = [
  column('id', 'integer', sql`r.id`, 'From 1, ascending with time.'),
  column('question', 'text', sql`r.question`, 'The question in words.'),
  column('question_type', 'text', sql`r.question_type`, 'One of the 13 kinds.'),
  column('prediction_format', 'text', sql`r.prediction_format`, 'choice or boolean.'),
  column('choices', 'list', sql`r.choices`, 'The answers that count.'),
  column('subject', 'text', sql`r.subject`, 'The asset that the question is about, or null.'),
  column('operator', 'text', sql`r.operator`, '>, >=, <=, within, same_sign or null.'),
  column('threshold_pct', 'number', sql`r.threshold_pct`, 'Signed percent of the start price, or null.'),
  column('n', 'integer', sql`r.n`, 'breadth only: how many assets.'),
  column('start_time', 'day', sql`r.start_time`, 'The start of the hour, UTC.'),
  column('end_time', 'day', sql`r.end_time`, 'One hour later, UTC.'),
  column('status', 'text', sql`r.status`, 'upcoming, active, resolving, resolved or void.'),
  column('total_entries', 'integer', sql`r.total_entries`, 'Predictions so far.'),
  column('source', 'text', sql`r.source`, 'The market source that decides.'),
  column('outcome', 'text', sql`r.outcome`, 'The winning answer; null until resolved.'),
  column('resolution_value', 'integer', sql`r.resolution_value`, 'As in REST; null until resolved.'),
  column('void_reason', 'text', sql`r.void_reason`, 'Why it has no outcome; null unless void.'),
  column('decided_at', 'instant', sql`r.decided_at`, 'When it was resolved or void, UTC, or null.'),
  ...ASSETS.flatMap((asset) => {
    const symbol = asset.toLowerCase();
    const figure = (key: string) => sql`(x.by_asset -> ${sql.lit(asset)} ->> ${sql.lit(key)})::numeric`;
    return [
      column(`start_${symbol}_price`, 'number', figure('open'), `${asset} at the start, USD; null unless it decided.`),
      column(`end_${symbol}_price`, 'number', figure('close'), `${asset} at the end, USD; null unless it decided.`),
      column(`${symbol}_return_pct`, 'number', figure('return_pct'), `${asset}, percent; null unless it decided.`),
    ];
  }),
];
