import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

import type { Skilled } from '../rules/statistics/means.ts';

/** The one row that every process shares: the clock's anchor, running totals, the event counter. */
export const Platform = defineEntity({
  name: 'Platform',
  tableName: 'platform',
  properties: {
    id: p.smallint().primary().autoincrement(false),
    /** When the database was made, by the service's clock. */
    createdAt: p.datetime(3),
    /** Service time = `clockServiceAt` + (real time - `clockRealAt`) x `clockSpeed`. */
    clockRealAt: p.datetime(3),
    clockServiceAt: p.datetime(3),
    clockSpeed: p.float().columnType('double precision'),
    /** Where prices come from, in the words of `MARKET`; null until the first start has chosen. */
    market: p.text().nullable(),
    /** By which pepper keys are hashed, as `pepperMark` makes it; null until a start has noted it. */
    pepperMark: p.text().nullable(),
    /** `end_time` of the newest resolved round: the windows count back from it. */
    newestResolvedEnd: p.datetime(0).nullable(),
    /** When the newest resolution was applied: `updated_at` of the boards. */
    boardsUpdatedAt: p.datetime(3),
    resolvedRounds: p.integer(),
    /** `resolvedRounds` as the boards in other orders (ordered-board.ts) and `skilled` show them; null: they are not made yet. */
    orderedRounds: p.integer().nullable(),
    /** Whether a migration asks for all sums of scores to be added up anew (jobs/ledger/rebuild.ts). */
    sumsDue: p.boolean().default(false),
    /** How many agents look skilled; null before any round was resolved. */
    skilled: p.json<Skilled>().nullable(),
    /** Predictions of decided rounds (resolved and void); those of open rounds are counted in their rows. */
    decidedPredictions: p.float().columnType('double precision'),
    decidedConfidenceSum: p.bigint('number'),
    /** The newest event's seq. */
    lastSeq: p.integer(),
  },
  checks: [
    { name: 'platform_one_row_check', expression: 'id = 1' },
    { name: 'platform_speed_check', expression: "clock_speed > '0'::double precision" },
  ],
});

export type Platform = InferEntity<typeof Platform>;
