import { type RawBuilder, sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { inWindow, PERIODS, windowStart } from '../rules/windows.ts';

/**
 * SQL of the rounds whose scores enter (1) or leave (-1) windows now that `round` is resolved: `round_id` and a column
 * of signs for each window, named after it. `newestBefore` is the newest resolved round's end before.
 */
export function windowSigns(round: Round, newestBefore: Date | null): RawBuilder<unknown> {
  const newest = newestBefore !== null && newestBefore > round.endTime ? newestBefore : round.endTime;
  const entering = PERIODS.map(
    (period) => sql`${Number(inWindow(period, newest, round.endTime))}::int as ${sql.ref(period)}`,
  );
  const leaving = PERIODS.map((period) => {
    const [after, until] = [newestBefore && windowStart(period, newestBefore), windowStart(period, newest)];
    if (after === null || until === null) return sql`0`;
    return sql`case when end_time > ${after} and end_time <= ${until} then -1 else 0 end`;
  });
  const far = farthestLeaving(newestBefore);
  const left = far === null ? sql`false` : sql`end_time > ${far} and end_time <= ${newestBefore}`;
  return sql`
    select ${round.id}::int as round_id, ${sql.join(entering)}
    union all
    select * from (
      select id, ${sql.join(leaving.map((sign, place) => sql`${sign} as ${sql.ref(`sign_${place}`)}`))}
      from rounds where status = 'resolved' and ${left}
    ) l where ${sql.join(
      PERIODS.map((_, place) => sql`${sql.ref(`sign_${place}`)} <> 0`),
      sql` or `,
    )}`;
}

/** No round that ended at or before this leaves any window now. */
function farthestLeaving(newestBefore: Date | null): Date | null {
  if (newestBefore === null) return null;
  const starts = PERIODS.flatMap((period) => windowStart(period, newestBefore) ?? []);
  return new Date(Math.min(...starts.map((start) => start.getTime())));
}
