import { defineEntity, p } from '@mikro-orm/core';

import { PERIODS } from '../rules/windows.ts';
import { Agent } from './agent.ts';
import { belongsTo } from './table-parts.ts';

/** So many places are stored, of which 100 are shown: who falls is replaced from the rest without a look at everybody. */
export const BOARD_RESERVE = 300;

/** The first places of a window's board, written by resolution; the figures stand in the agent's standing. */
export const BoardPlace = defineEntity({
  name: 'BoardPlace',
  tableName: 'board_places',
  properties: {
    period: p.enum(PERIODS).primary(),
    /** Place in the list, from 1. */
    position: p.smallint().primary(),
    agentId: () => belongsTo(Agent, 'agent_id'),
    /** From 1; equal points share one. */
    rank: p.smallint(),
  },
});

/**
 * The widths of points, as powers of two, by which agents are counted: a rank is the sum of at most 64 counts of each
 * narrower width and of those of the widest, however many agents and different points there are.
 */
export const RANK_LEVELS = [0, 6, 12] as const;

/**
 * How many agents of a window's whole board have points within `bucket`, which is points >> bits. Ranks are sums of
 * counts: a resolution moves as many of them as agents' points change, where stored ranks would change for all below.
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
