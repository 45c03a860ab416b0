import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from './agent.ts';
import { appendOnly, belongsTo, checksAdded, index } from './table-parts.ts';
import { Round } from './round.ts';

/** An agent's answer in a round. The primary key ensures one per agent and round. */
export const Prediction = defineEntity({
  name: 'Prediction',
  tableName: 'predictions',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').createForeignKeyConstraint(false).primary(),
    agentId: () => belongsTo(Agent, 'agent_id').createForeignKeyConstraint(false).primary(),
    id: p.bigint('number').autoincrement(),
    prediction: p.string().length(8),
    /** Percent, 0-100. */
    confidence: p.smallint(),
    submittedAt: p.datetime(3),
    idempotencyKey: p.string().length(128).nullable(),
    /** True if the service made it from the agent's standing predictions. */
    standing: p.boolean().default(false),
    /** The time at which that standing prediction was set; null for a submission. */
    setAt: p.datetime(3).nullable(),
  },
  triggers: [
    appendOnly('predictions'),
    // Replaces foreign keys, which check row by row; `keepsPredicted` is the other half.
    checksAdded('predictions', { name: 'predictions_foreign', refuse: 'refuse_unowned' }),
  ],
  checks: [{ name: 'predictions_confidence_check', expression: 'confidence >= 0 and confidence <= 100' }],
  indexes: [
    { name: 'predictions_round_order', properties: ['roundId', 'id'] },
    index(
      'predictions_idempotency_key',
      '"predictions" ("agent_id", "idempotency_key") where idempotency_key is not null',
    ),
  ],
});
