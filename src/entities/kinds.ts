import { defineEntity, p } from '@mikro-orm/postgresql';

import type { BoardOrder } from '../rules/board-orders.ts';
import { KINDS } from '../rules/kinds.ts';
import { type Sum, SUMS, sumType } from '../rules/sums.ts';
import { PERIODS } from '../rules/windows.ts';
import type { OrderedPlace } from './ordered-board.ts';

/**
 * The sums of standing.ts over a kind's rounds in a window, as parallel arrays with one element per agent. They cover
 * rounds decided by `as_of` and inside the window before `newest_end`; requests add later rounds
 * (jobs/ledger/kind-sums.ts).
 */
export const KindSums = defineEntity({
  name: 'KindSums',
  tableName: 'kind_sums',
  properties: {
    kind: p.enum(KINDS).primary(),
    period: p.enum(PERIODS).primary(),
    asOf: p.datetime(3),
    newestEnd: p.datetime(0),
    agent_id: list('int'),
    // Empty if written by a version without the sum.
    ...Object.fromEntries(Object.values(SUMS).map((sum) => [sum.column, list(listType(sum)).defaultRaw("'{}'")])),
  },
});

function list(type: string) {
  return p.array(Number).columnType(`${type}[]`);
}

function listType(sum: Sum): string {
  const type = sumType(sum);
  return typeof type === 'string' ? type : 'numeric';
}

/** The first places of a kind's board, as in ordered-board.ts, written at its first request after a resolution. */
export const KindBoard = defineEntity({
  name: 'KindBoard',
  tableName: 'kind_boards',
  properties: {
    kind: p.enum(KINDS).primary(),
    period: p.enum(PERIODS).primary(),
    orderBy: p.text().$type<BoardOrder>().primary(),
    minRounds: p.integer().primary().autoincrement(false),
    /** The time of the newest decision or amendment in it. */
    updatedAt: p.datetime(3),
    places: p.json<readonly OrderedPlace[]>(),
  },
});
