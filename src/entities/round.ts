import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

import { OPERATORS, PREDICTION_FORMATS, QUESTION_TYPES } from '../rules/questions/question.ts';
import { ROUND_STATUSES, VOID_REASONS } from '../rules/round-states.ts';
import { ASSETS } from '../rules/assets.ts';
import type { RulesVersion } from '../rules/versions.ts';
import { belongsTo, index, keepsPredicted, uniqueIndex } from './table-parts.ts';

/** One hour, its question and outcome. Each change of `status` locks the row. */
export const Round = defineEntity({
  name: 'Round',
  tableName: 'rounds',
  properties: {
    id: p.integer().primary(),
    startTime: p.datetime(0).unique('rounds_start_time_unique'),
    endTime: p.datetime(0),
    status: p.enum(ROUND_STATUSES),
    questionType: p.enum(QUESTION_TYPES),
    predictionFormat: p.enum(PREDICTION_FORMATS),
    question: p.text(),
    choices: p.json<readonly string[]>(),
    subject: p.string().length(8).nullable(),
    operator: p.enum(OPERATORS).nullable(),
    /** Signed percent of the start price. */
    thresholdPct: p.decimal('string').columnType('numeric').nullable(),
    n: p.smallint().nullable(),
    /** The market source whose candles decide. */
    source: p.string().length(255),
    /** The version of the rules that scores it; rounds older than versions have the first. */
    rulesVersion: p.smallint().$type<RulesVersion>().default(1),
    /** Predictions so far, updated by the statement that inserts them. */
    totalEntries: p.integer().default(0),
    /** Sum of their confidences, for the platform's mean. */
    confidenceSum: p.bigint('number').defaultRaw('0'),
    outcome: p.string().length(8).nullable(),
    resolutionValue: p.smallint().nullable(),
    voidReason: p.enum(VOID_REASONS).nullable(),
    /** The time of the resolution, or of the declaration as void. */
    decidedAt: p.datetime(3).nullable(),
    /** Tries that did not decide the round. */
    attempts: p.integer().default(0),
    /** The start of tries without a break; it is reset after the service was down. */
    tryingSince: p.datetime(3).nullable(),
    lastTriedAt: p.datetime(3).nullable(),
    /** The reason for the last failure, as a sentence. */
    lastProblem: p.string().length(500).nullable(),
    tryAfter: p.datetime(3).nullable(),
    /** The time, after the decision, at which the crowd by minutes and the tallies by days were counted. */
    countedAt: p.datetime(3).nullable(),
    /**
     * The windows in which sums that follow a resolution (jobs/ledger) count it, as bits: 1 for the shortest, 8 for all
     * time.
     */
    kindWindows: p.smallint().default(0),
    /** The operator's public reason for a void round. */
    voidNote: p.string().length(500).nullable(),
    /**
     * Mean Brier score of its predictions, in millionths; null unless resolved with predictions by version 0.3 or
     * later.
     */
    difficultyMillionths: p.integer().nullable(),
    /** Null before it opens, and for rounds older than the column. */
    openedAt: p.datetime(3).nullable(),
    /** The time at which standing predictions were applied; null before, or if that was missed. */
    standingAt: p.datetime(3).nullable(),
    /** True if only an archive of its month has its predictions, scores and rationales. */
    archived: p.boolean().default(false),
  },
  triggers: [keepsPredicted('rounds')],
  checks: [
    { name: 'rounds_one_hour_check', expression: "end_time = start_time + '01:00:00'::interval" },
    { name: 'rounds_whole_hour_check', expression: 'extract(epoch from start_time) % 3600 = 0' },
    {
      name: 'rounds_outcome_check',
      expression: "(status = 'resolved') = (outcome is not null and resolution_value is not null)",
    },
    { name: 'rounds_void_check', expression: "(status = 'void') = (void_reason is not null)" },
    { name: 'rounds_void_note_check', expression: "void_note is null or status = 'void'" },
    { name: 'rounds_decided_check', expression: "(status in ('resolved', 'void')) = (decided_at is not null)" },
    { name: 'rounds_entries_check', expression: 'total_entries >= 0' },
    { name: 'rounds_rules_version_check', expression: 'rules_version >= 1' },
  ],
  indexes: [
    uniqueIndex('rounds_one_active', `"rounds" ("status") where status = 'active'`),
    index('rounds_undecided', `"rounds" ("start_time") where status in ('upcoming', 'active', 'resolving')`),
    // Rounds whose predictions have no scores: open and void ones.
    index('rounds_without_scores', `"rounds" ("id") where status <> 'resolved'`),
    // Rounds that may still enter or leave a window. Those that count for all time only are not in the index.
    index('rounds_kinds_due', `"rounds" ("start_time") where status = 'resolved' and kind_windows <> 8`),
    index('rounds_decided', `"rounds" ("decided_at") where status in ('resolved', 'void')`),
    index('rounds_uncounted', `"rounds" ("id") where counted_at is null and status in ('resolved', 'void')`),
  ],
});

export type Round = InferEntity<typeof Round>;

/** An asset whose candle decides a round, with its prices in USD once the round is resolved. */
export const RoundAsset = defineEntity({
  name: 'RoundAsset',
  tableName: 'round_assets',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').deleteRule('cascade').primary(),
    asset: p.enum(ASSETS).primary(),
    /** Index in the question's assets, from 0. */
    position: p.smallint(),
    /** The asset's name at the round's source. */
    providerId: p.string().length(64),
    open: p.decimal('string').columnType('numeric').nullable(),
    high: p.decimal('string').columnType('numeric').nullable(),
    low: p.decimal('string').columnType('numeric').nullable(),
    close: p.decimal('string').columnType('numeric').nullable(),
    /** Percent, four decimals, half away from zero: for display, never compared. */
    returnPct: p.decimal('string').precision(14).scale(4).nullable(),
  },
  checks: [{ name: 'round_assets_price_check', expression: 'open > 0 and low > 0 and high >= low' }],
});

export type RoundAsset = InferEntity<typeof RoundAsset>;
