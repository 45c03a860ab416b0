import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { RECENT_ROUNDS } from '../../entities/board-trends.ts';
import { rows } from '../../reads/sql.ts';
import { BOARD_ORDERS, DEFAULT_MIN_ROUNDS, INTERVAL_PLACES } from '../../rules/board-orders.ts';
import { withPlannerHint } from '../planner-hints.ts';
import type { DrawnRound, OrderedAgents } from './ordered-board-statements.ts';
import { SCORES } from '../../reads/scores.ts';

/** Keeps the ranks of the boards that are about to be replaced, where the newest round is of another UTC day than theirs. */
export async function keepEarlierRanks(transaction: SqlEntityManager, newest: DrawnRound | undefined): Promise<void> {
  const isNewDay = sql`exists (select 1 from rounds shown, rounds newest
    where shown.id = b.round_id and newest.id = ${newest?.id ?? 0}::int
      and date_trunc('day', shown.start_time, 'UTC') < date_trunc('day', newest.start_time, 'UTC'))`;
  const turned = await rows(transaction)`select 1 from ordered_boards b where ${isNewDay} limit 1`;
  if (turned.length === 0) return;
  await rows(transaction)`delete from earlier_ranks`;
  const usual = sql.join(BOARD_ORDERS.map((order) => sql`(${order}, ${DEFAULT_MIN_ROUNDS[order]}::int)`));
  await rows(transaction)`
    insert into earlier_ranks (period, order_by, ranks)
    select b.period, b.order_by, jsonb_object_agg(place ->> 'agentId', place -> 'rank')
    from ordered_boards b cross join jsonb_array_elements(b.places) place
    where (b.order_by, b.min_rounds) in (${usual}) group by 1, 2`;
}

/** Keeps what those who are shown on a board earned in the newest rounds, in place of what was kept before. */
export async function keepRecentPoints(
  transaction: SqlEntityManager,
  boards: readonly OrderedAgents[],
  rounds: readonly DrawnRound[],
): Promise<void> {
  const agents = [...new Set(boards.flatMap((board) => board.agents.slice(0, INTERVAL_PLACES)))];
  const ids = rounds.slice(0, RECENT_ROUNDS).map(({ id }) => id);
  await rows(transaction)`delete from recent_points`;
  const insert = () => rows(transaction)`
    insert into recent_points (agent_id, points)
    select a.id, array_agg(coalesce(s.score + s.streak_bonus, 0) order by r.place desc)
    from unnest(${agents}::int[]) a(id) cross join unnest(${ids}::int[]) with ordinality r(id, place)
    left join lateral (select * from ${SCORES} g where g.round_id = r.id and g.agent_id = a.id offset 0) s on true
    group by a.id`;
  await withPlannerHint(transaction, 'keyLookups', insert);
}
