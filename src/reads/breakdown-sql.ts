import { type RawBuilder, sql } from 'kysely';

import { LEAD_BUCKETS } from '../rules/breakdowns.ts';

/** Percent. Scores of versions before 0.3 hold it in their Brier term alone, (c - o)^2, which is exact. */
const CONFIDENCE = sql`coalesce(s.confidence,
  (100 * case when s.is_correct then 1 - sqrt(s.brier::float8) else sqrt(s.brier::float8) end)::int)`;

/**
 * What breakdowns are made of, of one score `s`: columns of a subquery `f`, whole numbers of a unit. Added up as they stand
 * they take a third of what decimals take.
 */
export const FIGURES: RawBuilder<unknown> = sql`s.is_correct as hit, ${CONFIDENCE} as confidence,
  (s.brier * 10000)::int4 as brier, (s.reference_brier * 1000000)::int8 as reference,
  (s.pnl_usd * 100)::int8 as cents, s.edge_millionths::int8 as edge`;

/** Of reference - Brier, in millionths. */
const GAIN = sql`(f.reference - 100 * f.brier)`;

/** The names of the columns that breakdowns are made of, and how they come from the figures `f`. */
export const SUMS = {
  n: sql`count(*)`,
  hits: sql`count(*) filter (where f.hit)`,
  confidence_sum: sql`sum(f.confidence)`,
  confidence_squares: sql`sum(f.confidence * f.confidence)`,
  brier_sum: sql`sum(f.brier) * 0.0001`,
  brier_squares: sql`sum(f.brier * f.brier) * 0.00000001`,
  reference_sum: sql`sum(f.reference) * 0.000001`,
  gain_squares: sql`sum(${GAIN} * ${GAIN}) * 0.000000000001`,
  pnl_sum: sql`sum(f.cents) * 0.01`,
  pnl_squares: sql`sum(f.cents * f.cents) * 0.0001`,
  // Scores of versions before 0.3 have none.
  edge_n: sql`count(f.edge)`,
  edge_sum: sql`coalesce(sum(f.edge) * 0.000001, 0)`,
  edge_squares: sql`coalesce(sum(f.edge * f.edge) * 0.000000000001, 0)`,
} as const satisfies Readonly<Record<string, RawBuilder<unknown>>>;

export type SumName = keyof typeof SUMS;

/** The name of the bucket that a lead time lies in. */
export function leadBucket(lead: RawBuilder<unknown>): RawBuilder<string> {
  const cases = LEAD_BUCKETS.map(
    ({ name, fromMinutes }) => sql`when ${lead} >= make_interval(mins => ${fromMinutes}::int) then ${name}::text`,
  );
  return sql`case ${sql.join(cases, sql` `)} end`;
}
