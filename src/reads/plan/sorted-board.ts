import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../../limits.ts';
import { BOARD_RESERVE, type BoardKey, type BoardOrder, KEPT_MIN_ROUNDS } from '../../rules/board-orders.ts';
import type { Kind } from '../../rules/kinds.ts';
import { SUMS } from '../../rules/sums.ts';
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

/** The places that every live board has, if it has as many agents. */
const LIVE_PLACES = PAGE_SIZES.leaderboard.max;

export function isLonger({ after, limit }: BoardRowsRequest): boolean {
  return after + limit > LIVE_PLACES;
}

/**
 * The requested places with the columns of `board_places`; the rank of later ones is null. These are sorted on request: an
 * index for each window, or the order itself, would be written at every resolution.
 */
export function wholeBoard({ period, after, limit }: BoardRowsRequest): RawBuilder<unknown> {
  const from = Math.max(after, LIVE_PLACES);
  const sum = (name: 'competitions' | 'points' | 'wins') => sql.ref(`${period}_${SUMS[name].column}`);
  const order = sql`${sum('points')} desc, ${sum('wins')} desc, agent_id`;
  return sql`(
    select period, position::int, agent_id, rank::int from board_places where position <= ${sql.lit(LIVE_PLACES)}
    union all
    select ${sql.lit(period)}, (${from}::int + row_number() over (order by ${order}))::int, agent_id, null from (
      select * from standings where ${sum('competitions')} > 0
      order by ${order} offset ${from}::int limit ${after + limit - from}::int) later)`;
}

/** True if the board's number of agents is stored, so that it goes on after its stored places. */
export function isWhole({ kind, orderBy, minRounds }: BoardRequest): boolean {
  return kind === null && KEPT_MIN_ROUNDS[orderBy].includes(minRounds);
}

/** True if the rows go beyond the stored places of such a board. */
export function isSorted(asked: BoardRowsRequest): boolean {
  return isWhole(asked) && asked.after + asked.limit > BOARD_RESERVE;
}

function countedIn(period: Period, orderBy: BoardOrder) {
  if (orderBy === 'EDGE') return edgesIn(period);
  return sumIn(period, orderBy === 'ARENA' ? 'arenaEdges' : 'competitions');
}

/** The requested places in an order other than points, as `x` has them. Sums sorted now have the ranks of stored ones. */
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
    where position > ${after}::int)`;
}
