import { defineEntity, p } from '@mikro-orm/core';

import type { BoardOrder } from '../rules/board-orders.ts';
import { LEAD_BUCKETS } from '../rules/breakdowns.ts';
import { KINDS } from '../rules/kinds.ts';
import { PERIODS } from '../rules/windows.ts';
import type { OrderedPlace } from './ordered-board.ts';
import { tallyProperties } from './tallies.ts';

const list = (name: string, type: string) => p.array(Number).name(name).columnType(`${type}[]`);

/** Lists of these columns, named as they are. */
const lists = (type: string, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, list(name, type)]));

/** The sums of standing.ts of a kind's rounds in a window: lists side by side, by agent; written after the resolution. */
export const KindSums = defineEntity({
  name: 'KindSums',
  tableName: 'kind_sums',
  properties: {
    kind: p.enum(KINDS).primary(),
    period: p.enum(PERIODS).primary(),
    ...lists('int', 'agent_id points arena_points wins competitions without_edge choices_4 choices_8 arena_edges'),
    ...lists('numeric', 'pnl_usd brier_sum reference_brier_sum'),
    ...lists('bigint', 'points_square_sum skill_square_sum edge_sum edge_square_sum contribution_sum peer_sum'),
    ...lists('bigint', 'chance_pnl_sum chance_pnl_variance arena_edge_sum arena_edge_square_sum'),
    // Empty where a version without them has written the row.
    standing_n: list('standing_n', 'int').defaultRaw("'{}'"),
    standing_wins: list('standing_wins', 'int').defaultRaw("'{}'"),
  },
});

/** The first places of a kind's board, as in ordered-board.ts; made anew when sums of the kind have moved. */
export const KindBoard = defineEntity({
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

/** How often the sums of a kind have moved in a window, and up to which of these moves its boards are made. */
export const KindState = defineEntity({
  name: 'KindState',
  tableName: 'kind_states',
  properties: {
    kind: p.enum(KINDS).primary(),
    period: p.enum(PERIODS).primary(),
    moved: p.integer(),
    made: p.integer().default(0),
  },
});

/** The field's tallies (tallies.ts) by the lead time of the predictions; written after the resolution. */
export const LeadTally = defineEntity({
  name: 'LeadTally',
  tableName: 'lead_tallies',
  properties: {
    lead: p.enum(LEAD_BUCKETS.map(({ name }) => name)).primary(),
    ...tallyProperties(),
  },
});
