import { defineEntity, p } from '@mikro-orm/postgresql';
import { appendOnly, checksAdded, uniqueIndex } from './table-parts.ts';

/** The figures of a score except its place. */
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
    /** Brier of the reference at submission minus its own, over all answers (rules/edge.ts). */
    edgeMillionths: p.integer().nullable(),
    /** The crowd's Brier without it minus that with it; null if it was alone (rules/crowd.ts). */
    contributionBillionths: p.integer().nullable(),
    /** 100 x log score above the mean of the others; null if it was alone (rules/crowd.ts). */
    peerMillionths: p.integer().nullable(),
    /** Brier of the arena's forecast before submission minus its own; null without a known price, and in old rounds. */
    arenaEdgeMillionths: p.integer().nullable(),
    /** The edge of a standing prediction, which has no other edge and is in no sum of edges. */
    standingEdgeMillionths: p.integer().nullable(),
  };
}

/** A prediction's score. Written by the decision that first gives the round an outcome. */
export const Score = defineEntity({
  name: 'Score',
  tableName: 'scores',
  properties: {
    roundId: p.integer().primary().autoincrement(false),
    /** From 1. */
    place: p.integer().primary().autoincrement(false),
    agentId: p.integer(),
    /** The prediction's, in percent. */
    confidence: p.smallint(),
    ...scoreFigures(),
    /** The prediction's, so that reads which exclude standing predictions read no predictions. */
    standing: p.boolean().default(false),
  },
  triggers: [
    appendOnly('scores'),
    // Replaces a foreign key, which would look up and lock each row's prediction.
    checksAdded('scores', { name: 'scores_prediction_foreign', refuse: 'refuse_unpredicted' }),
  ],
  checks: [{ name: 'scores_pnl_check', expression: "pnl_usd >= '-100'::integer" }],
  indexes: [
    // Covers reads of an agent's record. Written once per round, in the order of agents.
    uniqueIndex(
      'scores_agent_rounds',
      '"scores" ("agent_id", "round_id") include ("is_correct", "score", "streak_bonus", "pnl_usd", "brier", "edge_millionths")',
    ),
  ],
});
