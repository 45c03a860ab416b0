import { defineEntity, p } from '@mikro-orm/postgresql';

import { ASSETS } from '../rules/assets.ts';
import { LEAD_BUCKETS } from '../rules/lead-buckets.ts';
import { QUESTION_TYPES } from '../rules/questions/question.ts';
import { appendOnly, belongsTo } from './table-parts.ts';
import { Round } from './round.ts';

/** The number of predictions of a decided round (resolved or void) by answer and confidence. */
export const RoundTally = defineEntity({
  name: 'RoundTally',
  tableName: 'round_tallies',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    prediction: p.string().length(8).primary(),
    /** Percent, 0-100. */
    confidence: p.smallint().primary(),
    n: p.integer(),
  },
  triggers: [appendOnly('round_tallies')],
  checks: [{ name: 'round_tallies_n_check', expression: 'n > 0' }],
});

/** The same by answer and minute of the hour; written after the decision, with the round's `counted_at`. */
export const CrowdMinute = defineEntity({
  name: 'CrowdMinute',
  tableName: 'crowd_minutes',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    /** From 0 to 59. */
    minute: p.smallint().primary().autoincrement(false),
    prediction: p.string().length(8).primary(),
    n: p.integer(),
    /** The sum of their confidences in percent; null for rounds counted before the column existed. */
    confidenceSum: p.bigint('number').nullable(),
  },
  triggers: [appendOnly('crowd_minutes')],
  checks: [{ name: 'crowd_minutes_n_check', expression: 'n > 0' }],
});

/** Rounds on any asset. */
export const ANY_ASSET = '*';

/** The properties by which predictions are grouped, and the number in each window. */
function tallyProperties() {
  return {
    asset: p.enum([ANY_ASSET, ...ASSETS]).primary(),
    questionType: p.enum(QUESTION_TYPES).primary(),
    /** The number of possible answers. */
    choiceCount: p.smallint().primary(),
    /** Percent, 0-100. */
    confidence: p.smallint().primary(),
    isCorrect: p.boolean().primary(),
    dailyN: p.bigint('number'),
    weeklyN: p.bigint('number'),
    monthlyN: p.bigint('number'),
    alltimeN: p.bigint('number'),
  };
}

/**
 * The number of all agents' scored predictions by these properties and window, so that calibration reads no history. A
 * prediction counts for each deciding asset and for `ANY_ASSET`. Written by resolutions, amendments and rebuilds.
 */
export const FieldTally = defineEntity({
  name: 'FieldTally',
  tableName: 'field_tallies',
  properties: tallyProperties(),
  checks: [
    {
      name: 'field_tallies_windows_check',
      expression: 'daily_n >= 0 and weekly_n >= daily_n and monthly_n >= weekly_n and alltime_n >= monthly_n',
    },
  ],
});

/** The same by the lead time of predictions; written after the resolution. */
export const LeadTally = defineEntity({
  name: 'LeadTally',
  tableName: 'lead_tallies',
  properties: {
    lead: p.enum(LEAD_BUCKETS.map(({ name }) => name)).primary(),
    ...tallyProperties(),
  },
});
