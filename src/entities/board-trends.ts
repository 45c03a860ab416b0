import { defineEntity, p } from '@mikro-orm/postgresql';

import { BOARD_ORDERS } from '../rules/board-orders.ts';
import { PERIODS } from '../rules/windows.ts';
import { Agent } from './agent.ts';
import { belongsTo } from './table-parts.ts';

/** The ranks of a board at the end of the UTC day before that of the newest decided round: the base of rank changes. */
export const EarlierRanks = defineEntity({
  name: 'EarlierRanks',
  tableName: 'earlier_ranks',
  properties: {
    period: p.enum(PERIODS).primary(),
    orderBy: p.enum(BOARD_ORDERS).primary(),
    /** The first 300, by agent id, at the order's usual number of rounds. */
    ranks: p.json<Readonly<Record<string, number>>>(),
  },
});

/** The number of newest decided rounds that a board shows for an agent. */
export const RECENT_ROUNDS = 30;

/** The newest decided rounds of an agent that is on a board, written with the boards, so that reads need no scores. */
export const RecentPoints = defineEntity({
  name: 'RecentPoints',
  tableName: 'recent_points',
  properties: {
    agentId: () => belongsTo(Agent, 'agent_id').primary(),
    /** Score and streak bonus in each round, the oldest first; 0 where the agent did not answer. */
    points: p.array(Number).columnType('int[]'),
  },
  checks: [{ name: 'recent_points_points_check', expression: `cardinality(points) <= ${RECENT_ROUNDS}` }],
});
