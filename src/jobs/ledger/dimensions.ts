import { type RawBuilder, sql } from 'kysely';

import { EVERY_DAY, NO_DIMENSION } from '../../entities/daily-tally.ts';
import { ANY_ASSET } from '../../entities/tallies.ts';
import { eachSum, leadBucket, SCORE_COLUMNS } from '../../reads/breakdowns.ts';
import { SCORES } from '../../reads/scores.ts';
import { DAY, SECOND } from '../../rules/hours.ts';
import { GROUP_SUMS } from '../../rules/sums.ts';
import { PERIODS } from '../../rules/windows.ts';
import { eachWindow } from './moves.ts';

/** A table that adds up scored predictions by a key. */
export interface Dimension {
  readonly table: string;
  readonly key: readonly string[];
  readonly sums: readonly string[];
  /** The sum that is 0 only where a row adds up nothing. */
  readonly count: string;
  /** A query of key and sums that rounds add. */
  readonly added: (entering: Entering) => RawBuilder<unknown>;
}

/** Rounds that enter windows, or leave them. */
export interface Entering {
  /** A table of `round_id` and a 1 or 0 for each window, named after it. */
  readonly signs: RawBuilder<unknown>;
  /** Whether a column holds one of them: by value, so that every table of a join is read by its key. */
  readonly isAmong: (column: string) => RawBuilder<unknown>;
}

const WINDOW_COUNTS = PERIODS.map((period) => `${period}_n`);
const GROUP_COLUMNS = Object.values(GROUP_SUMS).map(({ column }) => column);

/** Each round with every asset that decided it, and with `ANY_ASSET`. */
const ASSETS_OF = sql`cross join lateral (
  select ${ANY_ASSET} as asset union all select asset from round_assets where round_id = r.id) a`;

/** The scores `s` of what was submitted in these rounds `r`, with the predictions `p`. */
function submitted(isAmong: Entering['isAmong']): RawBuilder<unknown> {
  return sql`${SCORES} s join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id
    join rounds r on r.id = s.round_id
    where ${isAmong('s.round_id')} and ${isAmong('p.round_id')} and ${isAmong('r.id')} and not s.standing`;
}

const countsOf = (n: string): RawBuilder<unknown> => eachWindow((period) => `sum(${period} * ${n}) as ${period}_n`);

/** The whole field by type, asset, confidence and correctness, from the tallies of rounds. */
export const FIELD: Dimension = {
  table: 'field_tallies',
  key: ['asset', 'question_type', 'choice_count', 'confidence', 'is_correct'],
  sums: WINDOW_COUNTS,
  count: 'alltime_n',
  added: ({ signs }) => sql`
    select a.asset, r.question_type, r.choice_count, t.confidence, t.prediction = r.outcome as is_correct, ${countsOf('n')}
    from (select g.*, r.id, r.question_type, r.outcome, jsonb_array_length(r.choices) as choice_count
      from (${signs}) g join rounds r on r.id = g.round_id) r
    join round_tallies t on t.round_id = r.id ${ASSETS_OF} group by 1, 2, 3, 4, 5`,
};

/** The same by lead time as well, from the scores of what was submitted. */
export const LEADS: Dimension = {
  table: 'lead_tallies',
  key: ['lead', ...FIELD.key],
  sums: WINDOW_COUNTS,
  count: 'alltime_n',
  added: ({ signs, isAmong }) => sql`
    select c.lead, a.asset, r.question_type, jsonb_array_length(r.choices) as choice_count, c.confidence, c.is_correct,
      ${countsOf('c.n')}
    from (
      select s.round_id, ${leadBucket(sql`r.end_time - p.submitted_at`)} as lead, s.confidence, s.is_correct, count(*) as n
      from ${submitted(isAmong)} group by 1, 2, 3, 4
    ) c join (${signs}) g on g.round_id = c.round_id join rounds r on r.id = c.round_id ${ASSETS_OF}
    group by 1, 2, 3, 4, 5, 6`,
};

/** Predictions that name a model, in the windows of boards. */
export const MODELS: Dimension = modelsOf(sql`true`);

/** The same of those rationales `w` that a condition holds for. */
export function modelsOf(where: RawBuilder<unknown>): Dimension {
  return {
    table: 'model_sums',
    key: ['model', 'period'],
    sums: GROUP_COLUMNS,
    count: 'n',
    added: ({ signs }) => sql`
      select f.model, f.period, ${eachSum((name, sum) => sql`${sum} as ${name}`)}
      from (
        select w.model, m.period, ${SCORE_COLUMNS}
        from (${signs}) g join rationales w on w.round_id = g.round_id join rounds r on r.id = w.round_id
        join ${SCORES} s on s.round_id = w.round_id and s.agent_id = w.agent_id
        cross join lateral (values ${eachWindow((period) => `('${period}', g.${period})`)}) m(period, counts)
        where ${where} and w.model is not null and w.hidden_at is null and m.counts = 1 offset 0
      ) f group by 1, 2`,
  };
}

/** The dimensions that a resolution does not wait for: `rounds.kind_windows` has the windows in which they count a round. */
export const FOLLOWING = [LEADS, MODELS];

/** Predictions by one or two of their properties, on the day of their hour and on every day. */
export const DAYS: Dimension = {
  table: 'daily_tallies',
  key: ['first_dimension', 'second_dimension', 'day', 'first_value', 'second_value'],
  sums: GROUP_COLUMNS,
  count: 'n',
  // The predictions are read once, into a cell for each lead time and answer of a round.
  added: ({ isAmong }) => sql`
    with cells as materialized (
      select f.round_id, f.lead, f.answer, ${eachSum((name, sum) => sql`${sum} as ${name}`)}
      from (
        select s.round_id, ${leadBucket(sql`r.end_time - p.submitted_at`)} as lead, p.prediction as answer, ${SCORE_COLUMNS}
        from ${submitted(isAmong)}
        -- Each figure is worked out once, not in every sum that it is in.
        offset 0
      ) f
      group by 1, 2, 3
    ), shared as (
      select r.id as round_id, v.* from rounds r cross join lateral (values
        ('QUESTION_TYPE', r.question_type),
        ('HOUR_OF_DAY', to_char(r.start_time at time zone 'UTC', 'HH24')),
        ('WEEKDAY', to_char(r.start_time at time zone 'UTC', 'ID'))
      ) v(dimension, value) where ${isAmong('r.id')}
      union all select round_id, 'ASSET', asset from round_assets where ${isAmong('round_id')}
    ), valued as (
      select c.*, v.dimension, v.value from cells c cross join lateral (
        select dimension, value from shared where round_id = c.round_id
        union all values ('LEAD_TIME', c.lead), ('ANSWER', c.answer)
      ) v
    ), grouped as (
      select one.round_id, one.dimension as first_dimension, coalesce(other.dimension, ${NO_DIMENSION}) as second_dimension,
        one.value as first_value, coalesce(other.value, '') as second_value, ${eachSum((name) => sql`sum(one.${name}) as ${name}`)}
      from valued one
      join (
        select round_id, lead, answer, dimension, value from valued
        union all select round_id, lead, answer, null, null from cells
      ) other on other.round_id = one.round_id and other.lead = one.lead and other.answer = one.answer
        and (other.dimension > one.dimension or other.dimension is null)
      group by 1, 2, 3, 4, 5
    )
    select first_dimension, second_dimension, d.day, first_value, second_value, ${eachSum((name) => sql`sum(g.${name}) as ${name}`)}
    from grouped g join rounds r on r.id = g.round_id and ${isAmong('r.id')} cross join lateral (
      select ${EVERY_DAY}::int as day union all select floor(extract(epoch from r.start_time) / ${DAY / SECOND})::int
    ) d group by 1, 2, 3, 4, 5`,
};
