import { defineEntity, p } from '@mikro-orm/postgresql';

import { ASSETS } from '../rules/assets.ts';
import { QUESTION_TYPES } from '../rules/questions/question.ts';
import { Agent } from './agent.ts';
import { belongsTo, index } from './table-parts.ts';
import { ANY_ASSET } from './tallies.ts';

/** An agent's default answer to questions of a type about this asset or any. */
export const DefaultAnswer = defineEntity({
  name: 'DefaultAnswer',
  tableName: 'standing_rows',
  properties: {
    questionType: p.enum(QUESTION_TYPES).primary(),
    asset: p.enum([ANY_ASSET, ...ASSETS]).primary(),
    agentId: () => belongsTo(Agent, 'agent_id').primary(),
    /** The first one among a round's choices is the answer. */
    answers: p.array(),
    /** Percent, 0-100. */
    confidence: p.smallint(),
    /** The time of its last change: the agent's knowledge is from then. */
    setAt: p.datetime(3),
  },
  indexes: [{ name: 'standing_rows_agent', properties: ['agentId'] }],
  checks: [
    { name: 'standing_rows_answers_check', expression: 'cardinality(answers) >= 1 and cardinality(answers) <= 8' },
    { name: 'standing_rows_confidence_check', expression: 'confidence >= 0 and confidence <= 100' },
  ],
});

/** The expiry of an agent's rows. Its requests extend it; once past, it stays past until the agent sets rows again. */
export const DefaultAnswerAgent = defineEntity({
  name: 'DefaultAnswerAgent',
  tableName: 'standing_agents',
  properties: {
    agentId: () => belongsTo(Agent, 'agent_id').primary(),
    lapsesAt: p.datetime(3),
    /** True once the log has the event of the expiry. */
    lapseTold: p.boolean().default(false),
  },
  indexes: [index('standing_agents_lapsing', `"standing_agents" ("lapses_at") where not lapse_told`)],
});
