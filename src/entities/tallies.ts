import { defineEntity, p } from '@mikro-orm/core';

import { ASSETS } from '../rules/assets.ts';
import { QUESTION_TYPES } from '../rules/questions/question.ts';
import { appendOnly, belongsTo } from './table-parts.ts';
import { Round } from './round.ts';

/** How many predictions of a decided round, resolved or void, gave this answer with this confidence. Never changed. */
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

/**
 * How many predictions of a decided round, resolved or void, gave this answer within one minute of its hour. Never changed;
 * written after the resolution, when `counted_at` of the round is set.
 */
export const CrowdMinute = defineEntity({
  name: 'CrowdMinute',
  tableName: 'crowd_minutes',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').primary(),
    /** From 0 to 59. */
    minute: p.smallint().primary().autoincrement(false),
    prediction: p.string().length(8).primary(),
    n: p.integer(),
    /** Their confidences in percent, added up; null of rounds that were counted before it was kept. */
    confidenceSum: p.bigint('number').nullable(),
  },
  triggers: [appendOnly('crowd_minutes')],
  checks: [{ name: 'crowd_minutes_n_check', expression: 'n > 0' }],
});

/** Stands for rounds on whatever assets. */
export const ANY_ASSET = '*';

/** What predictions are alike by, and how many they are in every window. */
export function tallyProperties() {
  return {
    asset: p.enum([ANY_ASSET, ...ASSETS]).primary(),
    questionType: p.enum(QUESTION_TYPES).primary(),
    /** Answers that the rounds took. */
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
 * How many scored predictions of all agents were alike, in every window, so that the whole field's calibration is read
 * without its history. A prediction counts in the row of each asset that decided its round and in that of `ANY_ASSET`.
 * Written by resolution alone.
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
