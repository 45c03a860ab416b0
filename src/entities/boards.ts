import { defineEntity, p } from '@mikro-orm/postgresql';

import { PERIODS } from '../rules/windows.ts';
import { Agent } from './agent.ts';
import { belongsTo } from './table-parts.ts';

/** The first places of a window's board, written by resolution; the figures are in the agents' standings. */
export const BoardPlace = defineEntity({
  name: 'BoardPlace',
  tableName: 'board_places',
  properties: {
    period: p.enum(PERIODS).primary(),
    /** Index in the list, from 1. */
    position: p.smallint().primary(),
    agentId: () => belongsTo(Agent, 'agent_id'),
    /** From 1; equal points share one. */
    rank: p.smallint(),
  },
});

/**
 * The widths, as powers of two, of the buckets in which agents are counted by points. A rank is a sum of counts: at most
 * 64 of each narrower width, and all of the widest.
 */
export const RANK_LEVELS = [0, 6, 12] as const;

/**
 * The number of agents of a window's board with points in `bucket`, which is points >> bits. A resolution changes as
 * many counts as points change; stored ranks would change for all agents below.
 */
export const BoardCount = defineEntity({
  name: 'BoardCount',
  tableName: 'board_counts',
  properties: {
    period: p.enum(PERIODS).primary(),
    bits: p.smallint().primary(),
    bucket: p.integer().primary().autoincrement(false),
    agents: p.integer(),
  },
  checks: [{ name: 'board_counts_agents_check', expression: 'agents >= 0' }],
});
