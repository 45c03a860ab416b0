import { type RawBuilder, sql } from 'kysely';

import { LEAD_BUCKETS } from '../rules/breakdowns.ts';

/** The names of the columns that breakdowns are made of, and how they come from scores `s` and predictions `p`. */
export const SUMS = {
  n: sql`count(*)`,
  hits: sql`count(*) filter (where s.is_correct)`,
  confidence_sum: sql`sum(p.confidence::int)`,
  confidence_squares: sql`sum(p.confidence::int * p.confidence)`,
  brier_sum: sql`sum(s.brier)`,
  brier_squares: sql`sum(s.brier * s.brier)`,
  reference_sum: sql`sum(s.reference_brier)`,
  gain_squares: sql`sum((s.reference_brier - s.brier) * (s.reference_brier - s.brier))`,
  pnl_sum: sql`sum(s.pnl_usd)`,
  pnl_squares: sql`sum(s.pnl_usd * s.pnl_usd)`,
  edge_n: sql`0`,
  edge_sum: sql`0`,
  edge_squares: sql`0`,
} as const satisfies Readonly<Record<string, RawBuilder<unknown>>>;

export type SumName = keyof typeof SUMS;

/** The name of the bucket that a lead time lies in. */
export function leadBucket(lead: RawBuilder<unknown>): RawBuilder<string> {
  const cases = LEAD_BUCKETS.map(
    ({ name, fromMinutes }) => sql`when ${lead} >= make_interval(mins => ${fromMinutes}::int) then ${name}::text`,
  );
  return sql`case ${sql.join(cases, sql` `)} end`;
}
