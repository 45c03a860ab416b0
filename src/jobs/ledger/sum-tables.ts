import { type AliasedExpression, type Expression, type RawBuilder, sql } from 'kysely';

import { EVERY_DAY, NO_DIMENSION } from '../../entities/daily-tally.ts';
import type { DB } from '../../entities/tables.ts';
import { ANY_ASSET } from '../../entities/tallies.ts';
import { leadBucket, GROUP_FIGURE_COLUMNS, GROUP_TOTALS } from '../../reads/breakdowns.ts';
import { byAlias } from '../../reads/plan/by-alias.ts';
import { parts } from '../../reads/plan/parts.ts';
import { SCORES } from '../../reads/scores.ts';
import { PERIODS } from '../../rules/windows.ts';
import { dayNumber, SUM_COLUMNS } from '../../reads/field-groups.ts';

/** A table that adds up scored predictions by a key. */
interface SumsIn<Table extends keyof DB> {
  readonly table: Table;
  readonly key: readonly (keyof DB[Table])[];
  readonly sums: readonly (keyof DB[Table])[];
  /** The sum that is 0 only where a row adds up nothing. */
  readonly count: keyof DB[Table];
  /** A query for the key and the sums that rounds add. */
  readonly added: (moved: MovedRounds) => Expression<unknown>;
}

type SumTableName = 'field_tallies' | 'lead_tallies' | 'model_sums' | 'daily_tallies';
export type SumTable = { [Table in SumTableName]: SumsIn<Table> }[SumTableName];

/** Rounds that enter windows, or leave them. */
export interface MovedRounds {
  /** A table `g` of the rounds, with a 1 or 0 for each window. */
  readonly signs: AliasedExpression<unknown, 'g'>;
  /** True if a column holds one of the rounds. It compares with the ids, not with `g`, so each joined table is read by its key. */
  readonly isAmong: (column: Expression<number>) => Expression<unknown>;
}

const WINDOW_COUNTS = PERIODS.map((period) => `${period}_n` as const);

const { r, p, s, w } = byAlias({ r: 'rounds', p: 'predictions', s: 'scores', w: 'rationales' });
const { a, t } = byAlias({ a: 'round_assets', t: 'round_tallies' });

/** The assets that decided a round `r`, and `ANY_ASSET`, joined to it. */
const ASSETS = sql`cross join lateral (
  select ${ANY_ASSET} as asset union all select ${a('asset')} from round_assets a where ${a('round_id')} = ${r('id')}) a`;

const CHOICE_COUNT = parts.fn<number>('jsonb_array_length', [r('choices')]);
const LEAD = leadBucket(sql<Date>`${r('end_time')} - ${p('submitted_at')}`);
const GROUP_TOTALS_SQL = sql.join(GROUP_TOTALS);

/** The scores `s` of submitted predictions `p` in these rounds `r`, without standing ones. */
function submitted(isAmong: MovedRounds['isAmong']): RawBuilder<unknown> {
  return sql`${SCORES} s
    join predictions p on ${p('round_id')} = ${s('round_id')} and ${p('agent_id')} = ${s('agent_id')}
    join rounds r on ${r('id')} = ${s('round_id')}
    where ${isAmong(s('round_id'))} and ${isAmong(p('round_id'))} and ${isAmong(r('id'))} and not ${s('standing')}`;
}

/** A count in each window of the signs `g`. */
function countsOf(n: Expression<number>): RawBuilder<unknown> {
  return sql.join(PERIODS.map((one) => parts.fn.sum(parts(sql.ref<number>(`g.${one}`), '*', n)).as(`${one}_n`)));
}

const FIELD_KEY = ['asset', 'question_type', 'choice_count', 'confidence', 'is_correct'] as const;

/** The whole field by type, asset, confidence and correctness, from the tallies of rounds. */
export const FIELD: SumTable = {
  table: 'field_tallies',
  key: FIELD_KEY,
  sums: WINDOW_COUNTS,
  count: 'alltime_n',
  added: ({ signs }) => sql`
    select a.asset, ${r('question_type')}, ${CHOICE_COUNT} as choice_count, ${t('confidence')},
      ${t('prediction')} = ${r('outcome')} as is_correct, ${countsOf(t('n'))}
    from ${signs} join rounds r on ${r('id')} = g.round_id
    join round_tallies t on ${t('round_id')} = ${r('id')} ${ASSETS} group by 1, 2, 3, 4, 5`,
};

/** The same by lead time too, from the scores of submitted predictions. */
export const LEADS: SumTable = {
  table: 'lead_tallies',
  key: ['lead', ...FIELD_KEY],
  sums: WINDOW_COUNTS,
  count: 'alltime_n',
  added: ({ signs, isAmong }) => sql`
    select c.lead, a.asset, ${r('question_type')}, ${CHOICE_COUNT} as choice_count, c.confidence, c.is_correct,
      ${countsOf(sql.ref('c.n'))}
    from (
      select ${s('round_id')}, ${LEAD} as lead, ${s('confidence')}, ${s('is_correct')}, count(*) as n
      from ${submitted(isAmong)} group by 1, 2, 3, 4
    ) c join ${signs} on g.round_id = c.round_id join rounds r on ${r('id')} = c.round_id and ${isAmong(r('id'))}
    ${ASSETS} group by 1, 2, 3, 4, 5, 6`,
};

/** Predictions that name a model, in the windows of boards. */
export const MODELS = modelsOf(parts.lit(true));

/** Predictions that name a model, of the rationales `w` that meet a condition. */
export function modelsOf(where: Expression<unknown>): SumTable {
  const windows = PERIODS.map((period) => `('${period}', g.${period})`);
  return {
    table: 'model_sums',
    key: ['model', 'period'],
    sums: SUM_COLUMNS,
    count: 'n',
    // Rounds as a list: a join by them would read the scores of all months.
    added: ({ signs, isAmong }) => sql`
      select f.model, f.period, ${GROUP_TOTALS_SQL}
      from (
        select ${w('model')}, m.period, ${GROUP_FIGURE_COLUMNS}
        from ${signs} join rationales w on ${w('round_id')} = g.round_id
        join rounds r on ${r('id')} = ${w('round_id')}
        join ${SCORES} s on ${s('round_id')} = ${w('round_id')} and ${s('agent_id')} = ${w('agent_id')}
        cross join lateral (values ${sql.raw(windows.join(', '))}) m(period, counts)
        where ${isAmong(w('round_id'))} and ${isAmong(s('round_id'))} and ${where} and ${w('model')} is not null and ${w('hidden_at')} is null and m.counts = 1 offset 0
      ) f group by 1, 2`,
  };
}

/** Follow-up tables whose rounds enter and leave windows: `rounds.kind_windows` has those that count a round. `DAYS` has none. */
export const WINDOWED_FOLLOW_UP = [LEADS, MODELS];

const SUMS_OF_CELLS = sql.join(SUM_COLUMNS.map((name) => parts.fn.sum(sql.ref(`c.${name}`)).as(name)));

/** Predictions by one or two of their properties, on the day of their hour and on every day. */
export const DAYS: SumTable = {
  table: 'daily_tallies',
  key: ['first_dimension', 'second_dimension', 'day', 'first_value', 'second_value'],
  sums: SUM_COLUMNS,
  count: 'n',
  // The predictions are read once, into a cell for each lead time and answer of a round.
  added: ({ isAmong }) => sql`
    with cells as materialized (
      select f.round_id, f.lead, f.answer, ${GROUP_TOTALS_SQL}
      from (
        select ${s('round_id')}, ${LEAD} as lead, ${p('prediction')} as answer, ${GROUP_FIGURE_COLUMNS} from ${submitted(isAmong)}
        -- Computes each figure once, not in every sum of it.
        offset 0
      ) f
      group by 1, 2, 3
    ), shared as (
      select ${r('id')} as round_id, v.* from rounds r cross join lateral (values
        ('QUESTION_TYPE', ${r('question_type')}),
        ('HOUR_OF_DAY', to_char(${r('start_time')} at time zone 'UTC', 'HH24')),
        ('WEEKDAY', to_char(${r('start_time')} at time zone 'UTC', 'ID'))
      ) v(dimension, value) where ${isAmong(r('id'))}
      union all select ${a('round_id')}, 'ASSET', ${a('asset')} from round_assets a where ${isAmong(a('round_id'))}
    ), valued as (
      select c.*, v.dimension, v.value from cells c cross join lateral (
        select dimension, value from shared where round_id = c.round_id
        union all values ('LEAD_TIME', c.lead), ('ANSWER', c.answer)
      ) v
    ), grouped as (
      select c.round_id, c.dimension as first_dimension, coalesce(other.dimension, ${NO_DIMENSION}) as second_dimension,
        c.value as first_value, coalesce(other.value, '') as second_value, ${SUMS_OF_CELLS}
      from valued c
      join (
        select round_id, lead, answer, dimension, value from valued
        union all select round_id, lead, answer, null, null from cells
      ) other on other.round_id = c.round_id and other.lead = c.lead and other.answer = c.answer
        and (other.dimension > c.dimension or other.dimension is null)
      group by 1, 2, 3, 4, 5
    )
    select first_dimension, second_dimension, d.day, first_value, second_value, ${SUMS_OF_CELLS}
    from grouped c join rounds r on ${r('id')} = c.round_id and ${isAmong(r('id'))} cross join lateral (
      select ${EVERY_DAY}::int as day
      union all select ${dayNumber(r('start_time'))}
    ) d group by 1, 2, 3, 4, 5`,
};
