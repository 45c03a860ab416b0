import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { EVERY_DAY, NO_DIMENSION } from '../../entities/daily-tally.ts';
import { SCORE_COLUMNS, leadBucket, SUMS } from '../../reads/breakdowns.ts';

const SUM_NAMES = Object.keys(SUMS);

/**
 * Adds a resolved round's predictions to the tallies of its day, and to those of every day: once by each property, and once
 * by each two of them. The predictions are read once, into a cell for each lead time and answer.
 */
export async function tallyDay(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await sql`
    with cells as materialized (
      select f.lead, f.answer, ${sumsOf(SUMS)}
      from (
        select ${leadBucket(sql`r.end_time - p.submitted_at`)} as lead, p.prediction as answer, ${SCORE_COLUMNS}
        from scores s
        join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id
        join rounds r on r.id = s.round_id
        where s.round_id = ${roundId}
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
        one.value as first_value, coalesce(other.value, '') as second_value, ${eachSum((name) => sql`sum(one.${sql.ref(name)}) as ${sql.ref(name)}`)}
      from valued one
      join (select lead, answer, dimension, value from valued union all select lead, answer, null, null from cells) other
        on other.lead = one.lead and other.answer = one.answer
          and (other.dimension > one.dimension or other.dimension is null)
      group by 1, 2, 3, 4
    )
    insert into daily_tallies as t (first_dimension, second_dimension, day, first_value, second_value, ${eachSum((name) => sql.ref(name))})
    select first_dimension, second_dimension, d.day, first_value, second_value, ${eachSum((name) => sql.ref(name))}
    from grouped cross join (
      select ${EVERY_DAY}::int as day
      union all select floor(extract(epoch from start_time) / 86400)::int from rounds where id = ${roundId}
    ) d
    order by 1, 2, 3, 4, 5
    on conflict (first_dimension, second_dimension, day, first_value, second_value)
      do update set ${eachSum((name) => sql`${sql.ref(name)} = t.${sql.ref(name)} + excluded.${sql.ref(name)}`)}`.execute(
    transaction.getKysely(),
  );
}

function sumsOf(sums: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<unknown> {
  return sql.join(Object.entries(sums).map(([name, sum]) => sql`${sum} as ${sql.ref(name)}`));
}

function eachSum(of: (name: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(SUM_NAMES.map(of));
}
