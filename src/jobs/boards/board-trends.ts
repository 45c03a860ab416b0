import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { RECENT_ROUNDS } from '../../entities/board-trends.ts';
import type { DB } from '../../entities/tables.ts';
import { BOARD_ORDERS, DEFAULT_MIN_ROUNDS, INTERVAL_PLACES } from '../../rules/board-orders.ts';
import { DAY } from '../../rules/hours.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { ids } from '../../reads/fragments.ts';
import { numberedRows } from '../../reads/table-functions.ts';
import type { DrawnRound, OrderedAgents } from './ordered-board-statements.ts';
import { SCORES } from '../../reads/scores.ts';

/** Stores the ranks of the boards that are about to be replaced, if the newest round is of a later UTC day than theirs. */
export async function keepEarlierRanks(transaction: SqlEntityManager, newest: DrawnRound | undefined): Promise<void> {
  if (newest === undefined) return;
  const tables = transaction.getKysely<DB>();
  const today = new Date(Math.floor(newest.start.getTime() / DAY) * DAY);
  const older = tables.selectFrom('ordered_boards as b').innerJoin('rounds as r', 'r.id', 'b.round_id').select('r.id');
  if ((await older.where('r.start_time', '<', today).limit(1).execute()).length === 0) return;
  await tables.deleteFrom('earlier_ranks').execute();
  await tables
    .insertInto('earlier_ranks')
    .columns(['period', 'order_by', 'ranks'])
    .expression((from) =>
      from
        .selectFrom('ordered_boards as b')
        .innerJoinLateral(
          ({ fn }) => fn('jsonb_array_elements', ['b.places']).as('place'),
          (on) => on.onTrue(),
        )
        .select(['b.period', 'b.order_by'])
        .select(sql`jsonb_object_agg(place ->> 'agentId', place -> 'rank')`.as('ranks'))
        .where((of) =>
          of(
            of.refTuple('b.order_by', 'b.min_rounds'),
            'in',
            BOARD_ORDERS.map((order) => of.tuple(order, DEFAULT_MIN_ROUNDS[order])),
          ),
        )
        .groupBy(['b.period', 'b.order_by']),
    )
    .execute();
}

/** Replaces the points that agents shown on a board earned in the newest rounds. */
export async function keepRecentPoints(
  transaction: SqlEntityManager,
  boards: readonly OrderedAgents[],
  rounds: readonly DrawnRound[],
): Promise<void> {
  const tables = transaction.getKysely<DB>();
  const agents = [...new Set(boards.flatMap((board) => board.agents.slice(0, INTERVAL_PLACES)))];
  const drawn = rounds.slice(0, RECENT_ROUNDS).map(({ id }) => id);
  await tables.deleteFrom('recent_points').execute();
  const inserted = tables
    .insertInto('recent_points')
    .columns(['agent_id', 'points'])
    .expression((from) =>
      from
        .selectFrom(ids(agents))
        .innerJoin(numberedRows('r', { id: [drawn, 'int'] }), (on) => on.onTrue())
        .leftJoinLateral(
          (one) =>
            one
              .selectFrom(SCORES.as('g'))
              .select((g) => g('g.score', '+', g.ref('g.streak_bonus')).as('points'))
              .whereRef('g.round_id', '=', 'r.id')
              .whereRef('g.agent_id', '=', 'a.id')
              .offset(0)
              .as('s'),
          (on) => on.onTrue(),
        )
        .select('a.id')
        .select((of) =>
          of.fn
            .agg('array_agg', [of.fn.coalesce('s.points', of.lit(0))])
            .orderBy('r.place', 'desc')
            .as('points'),
        )
        .groupBy('a.id'),
    );
  await withPlannerHint(transaction, 'keyLookups', () => inserted.execute());
}
