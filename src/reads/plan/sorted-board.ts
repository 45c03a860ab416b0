import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../../limits.ts';
import {
  BOARD_RESERVE,
  type BoardKey,
  type BoardOrder,
  DEFAULT_ORDER,
  KEPT_MIN_ROUNDS,
} from '../../rules/board-orders.ts';
import type { Kind } from '../../rules/kinds.ts';
import type { Period } from '../../rules/windows.ts';
import { edgesIn, KEYS, sumIn } from './board-keys.ts';

/** A requested board, over all rounds or those of one kind. */
export interface BoardRequest extends BoardKey {
  readonly kind: Kind | null;
}

export interface BoardRowsRequest extends BoardRequest {
  readonly limit: number;
  /** The number of rows before the first one. */
  readonly after: number;
}

/** True if the resolution itself writes this board. Follow-up jobs write the others. */
export function isWrittenByResolution({ kind, orderBy, minRounds }: BoardRequest): boolean {
  return kind === null && orderBy === DEFAULT_ORDER && minRounds === 0;
}

/** True if the board's number of agents is stored, so that it goes on after its stored places. */
export function hasStoredTotal({ kind, orderBy, minRounds }: BoardRequest): boolean {
  return kind === null && KEPT_MIN_ROUNDS[orderBy].includes(minRounds);
}

/**
 * True if the rows go beyond the stored places of such a board. These are sorted on request: an index for each window, or
 * the order itself, would be written at every resolution.
 */
export function isBeyondStored(request: BoardRowsRequest): boolean {
  const stored = isWrittenByResolution(request) ? PAGE_SIZES.leaderboard.max : BOARD_RESERVE;
  return hasStoredTotal(request) && request.after + request.limit > stored;
}

function countedIn(period: Period, orderBy: BoardOrder) {
  if (orderBy === 'EDGE') return edgesIn(period);
  return sumIn(period, orderBy === 'ARENA' ? 'arenaEdges' : 'competitions');
}

/** The requested places, as `x` has them, with the ranks of stored ones. The planner sees from `limit` how few they are. */
export function sortedPlaces({ period, orderBy, minRounds, after, limit }: BoardRowsRequest): RawBuilder<unknown> {
  const order = sql`key desc, wins desc, agent_id`;
  return sql`(
    select agent_id, position, rank::int from (
      select agent_id, rank() over (order by key desc), row_number() over (order by ${order}) as position
      from (
        select * from (
          select s.agent_id, ${sumIn(period, 'wins')} as wins, ${KEYS[orderBy](period)} as key from standings s
          where ${sumIn(period, 'competitions')} > 0 and ${countedIn(period, orderBy)} >= ${sql.lit(minRounds)}) keyed
        where key is not null order by ${order} limit ${after + limit}::int) first) placed
    where position > ${after}::int limit ${limit}::int)`;
}
