import { defineEntity, p } from '@mikro-orm/core';

import type { BoardOrder } from '../rules/board-orders.ts';
import { LEAD_BUCKETS } from '../rules/breakdowns.ts';
import { KINDS } from '../rules/kinds.ts';
import { PERIODS } from '../rules/windows.ts';
import type { OrderedPlace } from './ordered-board.ts';
import { WindowSums } from './standing.ts';
import { tallyProperties } from './tallies.ts';

/** What an agent's scored predictions of one kind add up to, for every window at once; written after the resolution. */
const KindSumsSchema = defineEntity({
  name: 'KindSums',
  tableName: 'kind_sums',
  properties: {
    kind: p.enum(KINDS).primary(),
    agentId: p.integer().primary().autoincrement(false),
    daily: () => p.embedded(WindowSums).prefix('daily_'),
    weekly: () => p.embedded(WindowSums).prefix('weekly_'),
    monthly: () => p.embedded(WindowSums).prefix('monthly_'),
    alltime: () => p.embedded(WindowSums).prefix('alltime_'),
  },
});

export class KindSums extends KindSumsSchema.class {}
KindSumsSchema.setClass(KindSums);

/** The first places of a kind's board, as in ordered-board.ts; made anew when sums of the kind have moved. */
const KindBoardSchema = defineEntity({
  name: 'KindBoard',
  tableName: 'kind_boards',
  properties: {
    kind: p.enum(KINDS).primary(),
    period: p.enum(PERIODS).primary(),
    orderBy: p.text().$type<BoardOrder>().primary(),
    minRounds: p.integer().primary().autoincrement(false),
    places: p.json<readonly OrderedPlace[]>(),
  },
});

export class KindBoard extends KindBoardSchema.class {}
KindBoardSchema.setClass(KindBoard);

/** How often the sums of a kind have moved in a window, and up to which of these moves its boards are made. */
const KindStateSchema = defineEntity({
  name: 'KindState',
  tableName: 'kind_states',
  properties: {
    kind: p.enum(KINDS).primary(),
    period: p.enum(PERIODS).primary(),
    moved: p.integer(),
    made: p.integer().default(0),
  },
});

export class KindState extends KindStateSchema.class {}
KindStateSchema.setClass(KindState);

/** The field's tallies (tallies.ts) by the lead time of the predictions; written after the resolution. */
const LeadTallySchema = defineEntity({
  name: 'LeadTally',
  tableName: 'lead_tallies',
  properties: {
    lead: p.enum(LEAD_BUCKETS.map(({ name }) => name)).primary(),
    ...tallyProperties(),
  },
});

export class LeadTally extends LeadTallySchema.class {}
LeadTallySchema.setClass(LeadTally);
