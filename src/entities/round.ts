import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

import { OPERATORS, PREDICTION_FORMATS, QUESTION_TYPES } from '../rules/questions/question.ts';
import { ROUND_STATUSES, VOID_REASONS } from '../rules/round-states.ts';
import { ASSETS } from '../rules/assets.ts';
import type { RulesVersion } from '../rules/versions.ts';
import { belongsTo, keepsPredicted } from './table-parts.ts';

/** One hour, its question and what became of it. A state machine: one row locked per transition. */
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
    /** The version of the rules that it is scored by; those from before versions were written down have the first. */
    rulesVersion: p.smallint().$type<RulesVersion>().default(1),
    /** Predictions so far; moved by the statement that inserts them. */
    totalEntries: p.integer().default(0),
    /** Sum of their confidences, for the platform's mean. */
    confidenceSum: p.bigint('number').defaultRaw('0'),
    outcome: p.string().length(8).nullable(),
    resolutionValue: p.smallint().nullable(),
    voidReason: p.enum(VOID_REASONS).nullable(),
    /** When the outcome was applied, or the round declared void. */
    decidedAt: p.datetime(3).nullable(),
    /** Tries that did not decide the round. */
    attempts: p.integer().default(0),
    /** Since when it has been tried without a break; a service that was down begins anew. */
    tryingSince: p.datetime(3).nullable(),
    lastTriedAt: p.datetime(3).nullable(),
    /** Why the last of them did not, in a sentence made here. */
    lastProblem: p.string().length(500).nullable(),
    /** When it is tried next. */
    tryAfter: p.datetime(3).nullable(),
    /** When, after the decision, it was counted: the crowd by minutes, the field by days. */
    countedAt: p.datetime(3).nullable(),
    /** The windows in which sums that follow a resolution (jobs/ledger) count it, as bits: 1 for the shortest, 8 for all time. */
    kindWindows: p.smallint().default(0),
    /** The operator's sentence with a round declared void; everybody reads it. */
    voidNote: p.string().length(500).nullable(),
    /** Mean Brier score of its predictions, in millionths; null unless resolved with any by a version from 0.3 on. */
    difficultyMillionths: p.integer().nullable(),
    /** When it was opened; null before, and for rounds older than that was written down. */
    openedAt: p.datetime(3).nullable(),
    /** When predictions were made of standing ones; null where that is still to come, or was missed. */
    standingAt: p.datetime(3).nullable(),
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
    {
      name: 'rounds_one_active',
      expression: `create unique index "rounds_one_active" on "rounds" ("status") where status = 'active'`,
    },
    {
      name: 'rounds_undecided',
      expression: `create index "rounds_undecided" on "rounds" ("start_time") where status in ('upcoming', 'active', 'resolving')`,
    },
    {
      // Whose predictions have no scores: open and void ones.
      name: 'rounds_without_scores',
      expression: `create index "rounds_without_scores" on "rounds" ("id") where status <> 'resolved'`,
    },
    {
      // Which of them are to enter or leave a window by kind, however many are out of all but the longest.
      name: 'rounds_kinds_due',
      expression: `create index "rounds_kinds_due" on "rounds" ("start_time") where status = 'resolved' and kind_windows <> 8`,
    },
    {
      name: 'rounds_decided',
      expression: `create index "rounds_decided" on "rounds" ("decided_at") where status = 'resolved'`,
    },
    {
      name: 'rounds_uncounted',
      expression: `create index "rounds_uncounted" on "rounds" ("id") where counted_at is null and status in ('resolved', 'void')`,
    },
  ],
});

export type Round = InferEntity<typeof Round>;

/** An asset whose candle decides a round; the prices that decided it once the round is resolved, in USD. */
export const RoundAsset = defineEntity({
  name: 'RoundAsset',
  tableName: 'round_assets',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').deleteRule('cascade').primary(),
    asset: p.enum(ASSETS).primary(),
    /** Place in the question's list of assets, from 0. */
    position: p.smallint(),
    /** What the asset is called at the round's source. */
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
