import { defineEntity, p } from '@mikro-orm/core';

import { PERIODS } from '../rules/windows.ts';
import { Agent } from './agent.ts';
import { belongsTo } from './table-parts.ts';

/** The first 100 of a window's board, written anew by each resolution; the figures stand in the agent's standing. */
const BoardPlaceSchema = defineEntity({
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

export class BoardPlace extends BoardPlaceSchema.class {}
BoardPlaceSchema.setClass(BoardPlace);

/** The rank that so many points have on a window's whole board, for everybody there; written anew by each resolution. */
const BoardRankSchema = defineEntity({
  name: 'BoardRank',
  tableName: 'board_ranks',
  properties: {
    period: p.enum(PERIODS).primary(),
    points: p.integer().primary().autoincrement(false),
    /** From 1; equal points share one, and the next one skips. */
    rank: p.integer(),
  },
});

export class BoardRank extends BoardRankSchema.class {}
BoardRankSchema.setClass(BoardRank);
