import { defineEntity, p } from '@mikro-orm/core';

import { PERIODS } from '../rules/windows.ts';
import { Agent } from './agent.ts';

/** The first 100 of a window's board, written anew by each resolution; the figures stand in the agent's standing. */
const BoardPlaceSchema = defineEntity({
  name: 'BoardPlace',
  tableName: 'board_places',
  properties: {
    period: p.enum(PERIODS).primary(),
    /** Place in the list, from 1. */
    position: p.smallint().primary(),
    agentId: () => p.manyToOne(Agent).mapToPk().joinColumn('agent_id').deleteRule('no action').updateRule('no action'),
    /** From 1; equal points share one. */
    rank: p.smallint(),
  },
});

export class BoardPlace extends BoardPlaceSchema.class {}
BoardPlaceSchema.setClass(BoardPlace);
