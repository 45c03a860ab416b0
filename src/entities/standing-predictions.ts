import { defineEntity, p } from '@mikro-orm/core';

import { ASSETS } from '../rules/assets.ts';
import { QUESTION_TYPES } from '../rules/questions/question.ts';
import { Agent } from './agent.ts';
import { belongsTo } from './table-parts.ts';
import { ANY_ASSET } from './tallies.ts';

/** What an agent answers to questions of a type, about this asset or any, where it does not answer by itself. */
export const StandingRow = defineEntity({
  name: 'StandingRow',
  tableName: 'standing_rows',
  properties: {
    questionType: p.enum(QUESTION_TYPES).primary(),
    asset: p.enum([ANY_ASSET, ...ASSETS]).primary(),
    agentId: () => belongsTo(Agent, 'agent_id').primary(),
    /** The first that is among a round's choices is the answer. */
    answers: p.array(),
    /** Percent, 0-100. */
    confidence: p.smallint(),
    /** When it became what it is: what the agent knew then. */
    setAt: p.datetime(3),
  },
  indexes: [{ name: 'standing_rows_agent', properties: ['agentId'] }],
  checks: [
    { name: 'standing_rows_answers_check', expression: 'cardinality(answers) >= 1 and cardinality(answers) <= 8' },
    { name: 'standing_rows_confidence_check', expression: 'confidence >= 0 and confidence <= 100' },
  ],
});

/** Until when an agent's rows stand: moved on by its requests, and passed for good until it sets rows again. */
export const StandingAgent = defineEntity({
  name: 'StandingAgent',
  tableName: 'standing_agents',
  properties: {
    agentId: () => belongsTo(Agent, 'agent_id').primary(),
    lapsesAt: p.datetime(3),
    /** The log tells that it has passed. */
    lapseTold: p.boolean().default(false),
  },
  indexes: [
    {
      name: 'standing_agents_lapsing',
      expression: `create index "standing_agents_lapsing" on "standing_agents" ("lapses_at") where not lapse_told`,
    },
  ],
});
