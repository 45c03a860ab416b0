import { defineEntity, p } from '@mikro-orm/core';

import { PERIODS } from '../rules/windows.ts';

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
