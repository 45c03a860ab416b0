import { defineEntity, p } from '@mikro-orm/postgresql';

import { Agent } from './agent.ts';
import { belongsTo } from './table-parts.ts';
import { Round } from './round.ts';

/** The number of an agent's refused submissions in a round, and the last reason. Deleted after two weeks. */
export const Refusal = defineEntity({
  name: 'Refusal',
  tableName: 'refusals',
  properties: {
    roundId: () => belongsTo(Round, 'round_id').deleteRule('cascade').primary(),
    agentId: () => belongsTo(Agent, 'agent_id').primary(),
    refusals: p.integer(),
    /** The name of the error (`ERROR_REASONS`). */
    reason: p.string().length(40),
    refusedAt: p.datetime(3),
  },
  checks: [{ name: 'refusals_refusals_check', expression: 'refusals > 0' }],
});
