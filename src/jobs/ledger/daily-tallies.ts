import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { EVERY_DAY, NO_DIMENSION } from '../../entities/daily-tally.ts';
import { eachSum, leadBucket, SCORE_COLUMNS } from '../../reads/breakdowns.ts';
import { SCORES } from '../../reads/scores.ts';
import { rows } from '../../reads/sql.ts';
import { DAY, SECOND } from '../../rules/hours.ts';

/** The key of a tally. */
const KEY = sql`first_dimension, second_dimension, day, first_value, second_value`;

/** The sums of a tally `t`, with those of an entry added or taken away. */
const summed = (sign: '+' | '-', entry: string): RawBuilder<unknown> =>
  eachSum((name) => sql`${name} = t.${name} ${sql.raw(sign)} ${sql.ref(entry)}.${name}`);

/**
 * Adds a resolved round's predictions to the tallies of its day, and to those of every day: once by each property, and once
 * by each two of them.
 */
export async function tallyDay(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await rows(transaction)`
    with ${entriesOf(roundId)}
    insert into daily_tallies as t (${KEY}, ${eachSum((name) => name)})
    select ${KEY}, ${eachSum((name) => name)} from entry order by ${KEY}
    on conflict (${KEY}) do update set ${summed('+', 'excluded')}`;
}

/** Takes a counted round's predictions out of the tallies again; a tally of none is removed. */
export async function untallyDay(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await rows(transaction)`
    with ${entriesOf(roundId)},
    gone as (delete from daily_tallies t using entry e where ${IS_OF_ENTRY} and t.n = e.n)
    update daily_tallies t set ${summed('-', 'e')} from entry e where ${IS_OF_ENTRY} and t.n > e.n`;
}

const IS_OF_ENTRY = sql`t.first_dimension = e.first_dimension and t.second_dimension = e.second_dimension
  and t.day = e.day and t.first_value = e.first_value and t.second_value = e.second_value`;

/** The tallies that a round adds, as `entry`. The predictions are read once, into a cell for each lead time and answer. */
function entriesOf(roundId: number): RawBuilder<unknown> {
  return sql`cells as materialized (
      select f.lead, f.answer, ${eachSum((name, sum) => sql`${sum} as ${name}`)}
      from (
        select ${leadBucket(sql`r.end_time - p.submitted_at`)} as lead, p.prediction as answer, ${SCORE_COLUMNS}
        from ${SCORES} s
        join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id
        join rounds r on r.id = s.round_id
        where s.round_id = ${roundId} and not s.standing
        -- Each figure is worked out once, not in every sum that it is in.
        offset 0
      ) f
      group by 1, 2
    ), shared(dimension, value) as (
      select v.* from rounds r cross join lateral (values
        ('QUESTION_TYPE', r.question_type),
        ('HOUR_OF_DAY', to_char(r.start_time at time zone 'UTC', 'HH24')),
        ('WEEKDAY', to_char(r.start_time at time zone 'UTC', 'ID'))
      ) v where r.id = ${roundId}
      union all select 'ASSET', asset from round_assets where round_id = ${roundId}
    ), valued as (
      select c.*, v.dimension, v.value from cells c cross join lateral (
        select * from shared union all values ('LEAD_TIME', c.lead), ('ANSWER', c.answer)
      ) v
    ), grouped as (
      select one.dimension as first_dimension, coalesce(other.dimension, ${NO_DIMENSION}) as second_dimension,
        one.value as first_value, coalesce(other.value, '') as second_value, ${eachSum((name) => sql`sum(one.${name}) as ${name}`)}
      from valued one
      join (select lead, answer, dimension, value from valued union all select lead, answer, null, null from cells) other
        on other.lead = one.lead and other.answer = one.answer
          and (other.dimension > one.dimension or other.dimension is null)
      group by 1, 2, 3, 4
    ), entry as materialized (
      select g.*, d.day from grouped g cross join (
        select ${EVERY_DAY}::int as day
        union all select floor(extract(epoch from start_time) / ${DAY / SECOND})::int from rounds where id = ${roundId}
      ) d
    )`;
}
