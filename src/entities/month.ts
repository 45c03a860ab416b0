import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * A partition of `predictions`, `scores` and `rationales` with the rounds of a month, made a month ahead by the function
 * `make_months`. An hour without a round shifts the borders by one.
 */
export const Month = defineEntity({
  name: 'Month',
  tableName: 'months',
  properties: {
    /** As in 2026-12. */
    month: p.string().length(7).primary(),
    firstRound: p.integer(),
    /** The first round that is not in it. */
    untilRound: p.integer(),
  },
  checks: [{ name: 'months_rounds_check', expression: 'first_round < until_round' }],
});
