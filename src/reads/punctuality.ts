import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { PERIODS, type Period, windowStart } from '../rules/windows.ts';
import { rows } from './sql.ts';

/** How late the rounds of a window were opened and decided, in real seconds: the median and the 99th percentile. */
export interface PunctualityFigures {
  readonly period: Period;
  readonly rounds: number;
  readonly openedP50Seconds: number | null;
  readonly openedP99Seconds: number | null;
  readonly decidedP50Seconds: number | null;
  readonly decidedP99Seconds: number | null;
}

/** Whether an operator ended the round `r` as it was first decided, whatever amendments say of it since. */
export const ENDED_BY_OPERATOR = sql`'admin' is not distinct from case
  when not exists (select from amendments a where a.round_id = r.id) then r.void_reason
  else (select a.previous_void_reason from amendments a where a.round_id = r.id order by a.id limit 1) end`;

/**
 * By window, all time left out, so that never more than a month's rounds are read. Those that an operator ended have no decision.
 * The hour in which the service first started is left out: it had begun by then.
 */
export function punctualityAt(em: SqlEntityManager, now: Date, speed: number): Promise<readonly PunctualityFigures[]> {
  const windows = PERIODS.flatMap((period) => {
    const since = windowStart(period, now);
    return since === null ? [] : [{ period, since }];
  });
  return rows<PunctualityFigures>(em)`
    with asked as (
      select a.* from jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) as a(period text, since timestamptz)
    ), late as (
      select start_time, extract(epoch from opened_at - start_time)::float8 / ${speed}::float8 as opened,
        case when not ${ENDED_BY_OPERATOR}
          then extract(epoch from decided_at - end_time)::float8 / ${speed}::float8 end as decided
      from rounds r where start_time > (select min(since) from asked) and start_time <= ${now} and status <> 'upcoming'
        and id > (select min(id) from rounds)
    )
    select a.period, count(l.start_time)::int as rounds,
      percentile_disc(0.5) within group (order by l.opened) as "openedP50Seconds",
      percentile_disc(0.99) within group (order by l.opened) as "openedP99Seconds",
      percentile_disc(0.5) within group (order by l.decided) as "decidedP50Seconds",
      percentile_disc(0.99) within group (order by l.decided) as "decidedP99Seconds"
    from asked a left join late l on l.start_time > a.since
    group by a.period, a.since order by a.since desc`;
}
