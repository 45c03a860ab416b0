import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { OrderedPlace, SurePlace } from '../entities/ordered-board.ts';
import { DEFAULT_MIN_ROUNDS, keptMinRounds, type KeptBoard, rankedAmong } from '../rules/board-orders.ts';
import type { Board, RankedStanding } from './board.ts';
import { rows } from './sql.ts';

interface KeptRow {
  readonly updatedAt: Date;
  readonly place: OrderedPlace | null;
  readonly name: string;
  readonly currentStreak: number;
  readonly bestStreak: number;
  readonly tier: RankedStanding['tier'];
  readonly sure: SurePlace | null;
}

/**
 * The first rows of a board in another order than by points, or from more rounds on than one: as it was made after a
 * resolution, with that one's time. Fewer rows than there could be where most of those kept have fewer rounds.
 */
export async function orderedBoardOf(em: SqlEntityManager, asked: KeptBoard, limit: number): Promise<Board> {
  const { period, orderBy, minRounds } = asked;
  const kept = keptMinRounds(orderBy, minRounds);
  const sure = minRounds === DEFAULT_MIN_ROUNDS[orderBy] ? sql`b.sure_places -> (x.place ->> 'agentId')` : sql`null`;
  const found = await rows<KeptRow>(em)`
    select coalesce(b.updated_at, p.boards_updated_at) as "updatedAt", x.place, a.name,
      s.current_streak as "currentStreak", s.best_streak as "bestStreak", s.tier, ${sure} as sure
    from platform p
    left join ordered_boards b on b.period = ${period} and b.order_by = ${orderBy} and b.min_rounds = ${kept}::int
    left join lateral (
      select place, position from jsonb_array_elements(b.places) with ordinality as of_board(place, position)
      where (place ->> 'competitions')::int >= ${minRounds}::int order by position limit ${limit}
    ) x on true
    left join agents a on a.id = (x.place ->> 'agentId')::int
    left join standings s on s.agent_id = a.id
    where p.id = 1 order by x.position`;
  const [first] = found;
  if (first === undefined) throw new Error('The platform row is missing');
  const rankings = found.flatMap(({ place, name, currentStreak, bestStreak, tier, sure: ranks }) =>
    place === null ? [] : [{ ...place, name, currentStreak, bestStreak, tier, sure: ranks }],
  );
  return { ...asked, updatedAt: first.updatedAt, rankings: rankedAmong(rankings) };
}
