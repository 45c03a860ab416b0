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
    /** The time of its archive (month-archive/month-archive.ts). */
    archivedAt: p.datetime(3).nullable(),
    /** The time from which only the archive has its rows. */
    droppedAt: p.datetime(3).nullable(),
  },
  checks: [
    { name: 'months_rounds_check', expression: 'first_round < until_round' },
    { name: 'months_dropped_check', expression: 'dropped_at is null or archived_at is not null' },
  ],
});

/** The streaks of agents at the end of the months that were dropped. */
export const CarriedStreak = defineEntity({
  name: 'CarriedStreak',
  tableName: 'carried_streaks',
  properties: {
    agentId: p.integer().primary().autoincrement(false),
    streak: p.integer(),
    /** The longest until then. */
    best: p.integer(),
  },
});
