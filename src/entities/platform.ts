import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

import type { SkilledCounts } from '../rules/statistics/means.ts';

/** The one row that every process shares: the clock's anchor, running totals, the event counter. */
export const Platform = defineEntity({
  name: 'Platform',
  tableName: 'platform',
  properties: {
    id: p.smallint().primary().autoincrement(false),
    /** Service time. */
    createdAt: p.datetime(3),
    /** Service time = `clockServiceAt` + (real time - `clockRealAt`) x `clockSpeed`. */
    clockRealAt: p.datetime(3),
    clockServiceAt: p.datetime(3),
    clockSpeed: p.float().columnType('double precision'),
    /** The market, as in `MARKET`; null before the first start chooses. */
    market: p.text().nullable(),
    /** Identifies the pepper of key hashes (`pepperMark`); null until a start records it. */
    pepperMark: p.text().nullable(),
    /** `end_time` of the newest resolved round: the windows count back from it. */
    newestResolvedEnd: p.datetime(0).nullable(),
    /** The time of the newest resolution or amendment: `updated_at` of the boards. */
    boardsUpdatedAt: p.datetime(3),
    resolvedRounds: p.integer(),
    /** `resolvedRounds` of the boards in other orders (ordered-board.ts) and of `skilled`; null before they exist. */
    orderedRounds: p.integer().nullable(),
    /** True if a migration requested a rebuild of all sums (jobs/ledger/rebuild.ts). */
    sumsDue: p.boolean().default(false),
    /** The estimated number of skilled agents; null before the first resolution. */
    skilled: p.json<SkilledCounts>().nullable(),
    /** The agent with the longest streak ever; null before the first right answer. */
    streakAgentId: p.integer().nullable(),
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
