import { defineEntity, p } from '@mikro-orm/core';
import { appendOnly, checksAdded } from './table-parts.ts';

/** What a decision of its round says of a prediction, but for its place. */
export function scoreFigures() {
  return {
    isCorrect: p.boolean(),
    /** Table points and consistency bonus (spec 3.3). */
    score: p.smallint(),
    streakBonus: p.smallint(),
    arenaPoints: p.smallint(),
    pnlUsd: p.decimal('string').precision(7).scale(2),
    brier: p.decimal('string').precision(5).scale(4),
    referenceBrier: p.decimal('string').precision(7).scale(6),
    /** Brier of the reference at its submission - its own, over all answers (rules/edge.ts). */
    edgeMillionths: p.integer().nullable(),
    /** By how much the crowd's Brier is lower with it than without it; null where it was alone (rules/crowd.ts). */
    contributionBillionths: p.integer().nullable(),
    /** 100 x log score above the mean of the others; null where it was alone (rules/crowd.ts). */
    peerMillionths: p.integer().nullable(),
    /** Brier of the arena's forecast before its submission - its own; null where no price was known, and of old rounds. */
    arenaEdgeMillionths: p.integer().nullable(),
    /** The edge of what was standing, which has none of those before and is in no sum of edges. */
    standingEdgeMillionths: p.integer().nullable(),
  };
}

/** What a prediction earned. Append-only, written by resolution alone. */
export const Score = defineEntity({
  name: 'Score',
  tableName: 'scores',
  properties: {
    roundId: p.integer().primary().autoincrement(false),
    /** Place in the round, from 1. */
    place: p.integer().primary().autoincrement(false),
    agentId: p.integer(),
    /** The prediction's, in percent. */
    confidence: p.smallint(),
    ...scoreFigures(),
    /** The prediction's: what it leaves out reads no predictions. */
    standing: p.boolean().default(false),
  },
  triggers: [
    appendOnly('scores'),
    // A foreign key looks up and locks each row's prediction: a quarter of its time, and 117 bytes of log a score for the locks.
    checksAdded('scores', { name: 'scores_prediction_foreign', refuse: 'refuse_unpredicted' }),
  ],
  checks: [{ name: 'scores_pnl_check', expression: "pnl_usd >= '-100'::integer" }],
  indexes: [
    {
      // An agent's record is read from this index alone. Written once a round, in the order of agents.
      name: 'scores_agent_rounds',
      expression:
        'create unique index "scores_agent_rounds" on "scores" ("agent_id", "round_id") include ("is_correct", "score", "streak_bonus", "pnl_usd", "brier", "edge_millionths")',
    },
  ],
});
