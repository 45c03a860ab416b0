import { defineEntity, p } from '@mikro-orm/postgresql';

import { LONGEST_REASON } from '../rules/admin-actions.ts';
import { VOID_REASONS } from '../rules/round-states.ts';
import { Round } from './round.ts';
import { scoreFigures } from './score.ts';
import { appendOnly, belongsTo } from './table-parts.ts';

/** A later decision about a round, whose row has the newest. */
export const Amendment = defineEntity({
  name: 'Amendment',
  tableName: 'amendments',
  properties: {
    id: p.integer().primary(),
    roundId: () => belongsTo(Round, 'round_id'),
    /** Later than every decision and amendment before it. */
    amendedAt: p.datetime(3).unique('amendments_at'),
    reason: p.string().length(LONGEST_REASON),
    /** True if candles decided it, false if an operator did. */
    fromEvidence: p.boolean(),
    previousOutcome: p.string().length(8).nullable(),
    previousVoidReason: p.enum(VOID_REASONS).nullable(),
    previousVoidNote: p.string().length(500).nullable(),
    outcome: p.string().length(8).nullable(),
    voidReason: p.enum(VOID_REASONS).nullable(),
    /** The rounds whose scores it changes: its own, and later ones by streak bonuses. */
    rounds: p.array(Number).columnType('int[]'),
  },
  triggers: [appendOnly('amendments')],
  checks: [
    {
      name: 'amendments_previous_check',
      expression: '(previous_outcome is null) = (previous_void_reason is not null)',
    },
    { name: 'amendments_outcome_check', expression: '(outcome is null) = (void_reason is not null)' },
    {
      name: 'amendments_change_check',
      expression: 'outcome is distinct from previous_outcome or void_reason is distinct from previous_void_reason',
    },
  ],
  indexes: [{ name: 'amendments_round', properties: ['roundId'] }],
});

/** The change of a score by an amendment: each figure after it less the figure before. */
export const ScoreCorrection = defineEntity({
  name: 'ScoreCorrection',
  tableName: 'score_corrections',
  properties: {
    roundId: p.integer().primary().autoincrement(false),
    agentId: p.integer().primary().autoincrement(false),
    amendmentId: () => belongsTo(Amendment, 'amendment_id').primary(),
    /** 1 if it became a score, -1 if it ceased to be one, else 0. */
    counted: p.smallint(),
    place: p.integer(),
    ...scoreFigures(),
    isCorrect: p.smallint(),
    edgeMillionths: p.integer(),
    contributionBillionths: p.integer(),
    peerMillionths: p.integer(),
    arenaEdgeMillionths: p.integer(),
    standingEdgeMillionths: p.integer(),
  },
  triggers: [appendOnly('score_corrections')],
  checks: [{ name: 'score_corrections_counted_check', expression: 'abs(counted) <= 1' }],
  indexes: [{ name: 'score_corrections_amendment', properties: ['amendmentId'] }],
});

/** A score plus all its corrections: the score in force, read through `SCORES` (reads/scores.ts). */
export const CorrectedScore = defineEntity({
  name: 'CorrectedScore',
  tableName: 'corrected_scores',
  properties: {
    roundId: p.integer().primary().autoincrement(false),
    agentId: p.integer().primary().autoincrement(false),
    /** False while its round is void; its other figures then keep their former values. */
    counted: p.boolean(),
    place: p.integer(),
    ...scoreFigures(),
  },
  indexes: [{ name: 'corrected_scores_place', properties: ['roundId', 'place'] }],
});
