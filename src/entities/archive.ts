import { defineEntity, p } from '@mikro-orm/postgresql';

import type { Totals } from '../rules/sums.ts';
import { ARCHIVE_KINDS } from '../rules/windows.ts';
import { appendOnly } from './table-parts.ts';

export const ARCHIVED_PLACES = 100;

/** An agent's sums on a stored board. Exact decimals are text. */
export interface PlacedSums extends Omit<Totals, 'brierSum' | 'referenceBrierSum'> {
  /** From 1; equal figures share one. */
  readonly rank: number;
  readonly agentId: number;
}

/** The same over a period's resolved rounds. */
export interface ArchivedStanding extends PlacedSums, Totals {
  /** The most correct predictions in a row within the period. */
  readonly bestStreak: number;
  /** The number of predictions with an edge, the sum of the edges, and that of their squares. */
  readonly edgeN: number;
  readonly edgeSum: string;
  readonly edgeSquares: string;
}

/** The frozen board of a finished day, week or month: one row, so that nothing can be added to it. */
export const Archive = defineEntity({
  name: 'Archive',
  tableName: 'archives',
  properties: {
    /** For example `2026-11-20`, `2026-W47` or `2026-11`. */
    period: p.string().length(10).primary(),
    kind: p.enum(ARCHIVE_KINDS),
    startTime: p.datetime(0),
    endTime: p.datetime(0),
    /** Resolved rounds of the period. */
    rounds: p.integer(),
    /** Agents on the whole board. */
    agents: p.integer(),
    /** The first `ARCHIVED_PLACES` of them, in order. */
    rankings: p.json<readonly ArchivedStanding[]>(),
    frozenAt: p.datetime(3),
  },
  triggers: [appendOnly('archives')],
  indexes: [{ name: 'archives_kind_start', properties: ['kind', 'startTime'] }],
});
