import { type RawBuilder, sql } from 'kysely';

import { ASSETS } from '../rules/assets.ts';
import type { Picks } from '../rules/predictions.ts';
import { OVER_STATUSES } from '../rules/round-states.ts';
import { type Column, column, selectList } from './columns.ts';
import { type Filter, PREDICTION_FILTERS, ROUND_FILTERS } from './filters.ts';

/** A list that can be exported. Its first column is the id, by which a client goes on. */
export interface ExportList {
  /** As it stands in the path. */
  readonly name: 'predictions' | 'rounds';
  readonly columns: readonly Column[];
  readonly filters: readonly Filter[];
  readonly table: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  /** All rows; what is wanted of them is added. */
  readonly select: RawBuilder<unknown>;
}

/** Whole milliseconds: moments of a clock that runs fast still differ. */
const LEAD_SECONDS = sql`round(extract(epoch from r.end_time - p.submitted_at), 3)`;

const WHERE_KNOWN = 'null until scored, or where it is not known.';

/** A whole number of the smallest parts as the decimal that it stands for. */
function scaled(name: string, digits: number): RawBuilder<unknown> {
  return sql`${sql.ref(name)} * ${sql.lit(`1e-${digits}`)}::numeric`;
}

/** The columns of `/api/export/predictions`; `p` is the prediction, `r` its round, `a` its agent, `s` its score. */
const PREDICTION_COLUMNS: readonly Column[] = [
  column('id', 'integer', sql`p.id`, 'From 1, ascending with submission.'),
  column('round_id', 'integer', sql`p.round_id`, 'The round.'),
  column('round_status', 'text', sql`r.status`, 'active, resolving, resolved or void.'),
  column('question_type', 'text', sql`r.question_type`, 'One of the 13 kinds.'),
  column('start_time', 'day', sql`r.start_time`, "The round's start, UTC."),
  column('agent_id', 'integer', sql`p.agent_id`, 'The agent.'),
  column('agent_name', 'text', sql`a.name`, "The agent's name."),
  column('prediction', 'text', sql`p.prediction`, "One of the round's choices; null while it is sealed."),
  column('answers', 'integer', sql`jsonb_array_length(r.choices::jsonb)`, 'How many answers the round has.'),
  column('confidence', 'integer', sql`p.confidence`, 'Percent, 0-100; null while it is sealed.'),
  column('submitted_at', 'second', sql`p.submitted_at`, 'When it was accepted, UTC.'),
  column('is_correct', 'flag', sql`s.is_correct`, '1 or 0; null until scored.'),
  column('score', 'integer', sql`s.score`, 'Table points and consistency bonus; null until scored.'),
  column('streak_bonus', 'integer', sql`s.streak_bonus`, 'Points on top for the streak; null until scored.'),
  column('place', 'integer', sql`s.place`, 'Place in the round from 1; null until scored.'),
  column('arena_points', 'integer', sql`s.arena_points`, 'Rank bonus; null until scored.'),
  column('pnl_usd', 'number', sql`s.pnl_usd`, 'Simulated profit or loss in USD; null until scored.'),
  column('end_time', 'day', sql`r.end_time`, "The round's end, UTC."),
  column('lead_seconds', 'number', LEAD_SECONDS, 'Seconds from submission to the end of the round.'),
  column('brier', 'number', sql`s.brier`, 'Squared error of the confidence, 0-1; null until scored.'),
  column(
    'edge',
    'number',
    scaled('s.edge_millionths', 6),
    `By how much it beat what the price alone said at submission, -2 to 2; ${WHERE_KNOWN}`,
  ),
  column(
    'contribution',
    'number',
    scaled('s.contribution_billionths', 9),
    `What the crowd gained by it; ${WHERE_KNOWN}`,
  ),
  column(
    'peer_score',
    'number',
    scaled('s.peer_millionths', 6),
    `100 x log score above that of the others; ${WHERE_KNOWN}`,
  ),
];

/** The columns of `/api/export/rounds`; `r` is the round, `x` its assets' prices. */
const ROUND_COLUMNS: readonly Column[] = [
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
  column(
    'difficulty',
    'number',
    scaled('r.difficulty_millionths', 6),
    'Mean Brier score of the field; null unless resolved with predictions.',
  ),
  ...ASSETS.flatMap((asset) => {
    const symbol = asset.toLowerCase();
    const figure = (key: string) => sql`(x.by_asset -> ${sql.lit(asset)} ->> ${sql.lit(key)})::numeric`;
    return [
      column(`start_${symbol}_price`, 'number', figure('open'), `${asset} at the start, USD; null unless it decided.`),
      column(`end_${symbol}_price`, 'number', figure('close'), `${asset} at the end, USD; null unless it decided.`),
      column(`${symbol}_return_pct`, 'number', figure('return_pct'), `${asset}, percent; null unless it decided.`),
    ];
  }),
  column('rules_version', 'integer', sql`r.rules_version`, 'The version of the rules that it is scored by.'),
];

function predictionsOf(columns: readonly Column[]): ExportList {
  return {
    name: 'predictions',
    columns,
    filters: PREDICTION_FILTERS,
    table: sql`predictions p`,
    id: sql`p.id`,
    // Scores are looked up one by one: joined, the planner reads all of them for each page.
    select: sql`
      select ${selectList(columns)}
      from predictions p
      join rounds r on r.id = p.round_id
      join agents a on a.id = p.agent_id
      left join lateral (
        select * from scores t where t.round_id = p.round_id and t.agent_id = p.agent_id limit 1
      ) s on true`,
  };
}

const ROUNDS: ExportList = {
  name: 'rounds',
  columns: ROUND_COLUMNS,
  filters: ROUND_FILTERS,
  table: sql`rounds r`,
  id: sql`r.id`,
  select: sql`
      select ${selectList(ROUND_COLUMNS)}
      from rounds r
      left join lateral (
        select jsonb_object_agg(d.asset,
          jsonb_build_object('open', d.open, 'close', d.close, 'return_pct', d.return_pct)) as by_asset
        from round_assets d where d.round_id = r.id
      ) x on true`,
};

/** What tells an agent's answer. */
const PICK_COLUMNS: readonly string[] = ['prediction', 'confidence'];

/** The same column, null as long as the prediction's round is not over. */
function sealed(one: Column): Column {
  if (!PICK_COLUMNS.includes(one.name)) return one;
  return { ...one, value: sql`case when r.status = any(${[...OVER_STATUSES]}) then ${one.value} end` };
}

/** The lists that can be exported, by who sees what agents answer while a round runs. */
export const EXPORT_LISTS: Readonly<Record<Picks, readonly ExportList[]>> = {
  open: [predictionsOf(PREDICTION_COLUMNS), ROUNDS],
  sealed: [predictionsOf(PREDICTION_COLUMNS.map(sealed)), ROUNDS],
};
