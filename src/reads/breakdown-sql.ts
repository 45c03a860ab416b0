import { type RawBuilder, sql } from 'kysely';

import { LEAD_BUCKETS } from '../rules/breakdowns.ts';

/** Percent. Scores of versions before 0.3 hold it in their Brier term alone, (c - o)^2, which is exact. */
const CONFIDENCE = sql`coalesce(s.confidence,
  (100 * case when s.is_correct then 1 - sqrt(s.brier::float8) else sqrt(s.brier::float8) end)::int)`;

/** The names of the columns that breakdowns are made of, and how they come from scores `s`. */
export const SUMS = {
  n: sql`count(*)`,
  hits: sql`count(*) filter (where s.is_correct)`,
  confidence_sum: sql`sum(${CONFIDENCE})`,
  confidence_squares: sql`sum(${CONFIDENCE} * ${CONFIDENCE})`,
  brier_sum: sql`sum(s.brier)`,
  brier_squares: sql`sum(s.brier * s.brier)`,
  reference_sum: sql`sum(s.reference_brier)`,
  gain_squares: sql`sum((s.reference_brier - s.brier) * (s.reference_brier - s.brier))`,
  pnl_sum: sql`sum(s.pnl_usd)`,
  pnl_squares: sql`sum(s.pnl_usd * s.pnl_usd)`,
  // Scores of versions before 0.3 have none.
  edge_n: sql`count(s.edge_millionths)`,
  edge_sum: sql`coalesce(sum(s.edge_millionths) * 0.000001, 0)`,
  edge_squares: sql`coalesce(sum(s.edge_millionths::numeric * s.edge_millionths) * 0.000000000001, 0)`,
} as const satisfies Readonly<Record<string, RawBuilder<unknown>>>;

export type SumName = keyof typeof SUMS;

/** The name of the bucket that a lead time lies in. */
export function leadBucket(lead: RawBuilder<unknown>): RawBuilder<string> {
  const cases = LEAD_BUCKETS.map(
    ({ name, fromMinutes }) => sql`when ${lead} >= make_interval(mins => ${fromMinutes}::int) then ${name}::text`,
  );
  return sql`case ${sql.join(cases, sql` `)} end`;
}
