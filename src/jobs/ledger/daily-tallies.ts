import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { EVERY_DAY, NO_DIMENSION } from '../../entities/daily-tally.ts';
import { eachSum, leadBucket, SCORE_COLUMNS } from '../../reads/breakdowns.ts';
import { SCORES } from '../../reads/scores.ts';
import { rows } from '../../reads/sql.ts';

/** Days since 1970-01-01. */
const DAY_OF_START = sql`floor(extract(epoch from start_time) / 86400)::int`;

/** What is there already, with what is to be added. */
const ADDED = eachSum((name) => sql`${name} = t.${name} + excluded.${name}`);

/**
 * Adds a resolved round's predictions to the tallies of its day, and to those of every day: once by each property, and once
 * by each two of them. The predictions are read once, into a cell for each lead time and answer.
 */
export async function tallyDay(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await rows(transaction)`
    with cells as materialized (
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
    )
    insert into daily_tallies as t (first_dimension, second_dimension, day, first_value, second_value, ${eachSum((name) => name)})
    select first_dimension, second_dimension, d.day, first_value, second_value, ${eachSum((name) => name)}
    from grouped cross join (
      select ${EVERY_DAY}::int as day
      union all select ${DAY_OF_START} from rounds where id = ${roundId}
    ) d
    order by 1, 2, 3, 4, 5
    on conflict (first_dimension, second_dimension, day, first_value, second_value)
      do update set ${ADDED}`;
}

/** Counts the day of a round anew, and with it every day together, after an amendment has changed its scores. */
export async function recountDay(transaction: SqlEntityManager, roundId: number): Promise<void> {
  const day = sql`(select ${DAY_OF_START} from rounds where id = ${roundId})`;
  await rows(transaction)`delete from daily_tallies where day in (${EVERY_DAY}::int, ${day})`;
  const counted = await rows<{ id: number }>(transaction)`
    select id from rounds where ${DAY_OF_START} = ${day} and status = 'resolved' and counted_at is not null`;
  for (const { id } of counted) await tallyDay(transaction, id);
  const keys = sql`first_dimension, second_dimension, first_value, second_value`;
  await rows(transaction)`
    insert into daily_tallies as t (${keys}, day, ${eachSum((name) => name)})
    select ${keys}, ${EVERY_DAY}::int, ${eachSum((name) => sql`sum(${name})`)}
    from daily_tallies where day <> ${EVERY_DAY}::int and day <> ${day} group by ${keys}
    on conflict (first_dimension, second_dimension, day, first_value, second_value)
      do update set ${ADDED}`;
}
