import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Expression, SqlBool } from 'kysely';

import type { DB } from '../../entities/tables.ts';
import { parts } from '../../reads/plan/parts.ts';
import type { StoredAmendment } from './decisions.ts';

/** The number of agents that an amendment's effect names. */
const NAMED_MOVES = 20;

/** An agent whose points or rank over all time have changed. */
export type RankChange = Awaited<ReturnType<typeof rankChangesBy>>[number];

/** The agents whose all-time points or rank an amendment changed, the largest changes first. Needs updated standings. */
export async function rankChangesBy(transaction: SqlEntityManager, { roundId, amendmentId, isFirst }: StoredAmendment) {
  return transaction
    .getKysely<DB>()
    .with('gains', (q) =>
      q
        .selectFrom(
          q
            .selectFrom('score_corrections')
            .where('amendment_id', '=', amendmentId)
            .select((of) => ['agent_id', of('score', '+', of.ref('streak_bonus')).as('points'), 'counted'])
            .unionAll(
              q
                .selectFrom('scores')
                .where('round_id', '=', roundId)
                .where((of) => of.lit(isFirst))
                .select((of) => [
                  'agent_id',
                  of('score', '+', of.ref('streak_bonus')).as('points'),
                  of.lit(1).as('counted'),
                ]),
            )
            .as('one'),
        )
        .groupBy('agent_id')
        .select((of) => [
          'agent_id',
          of.cast<number>(of.fn.sum('points'), 'integer').as('points'),
          of.cast<number>(of.fn.sum('counted'), 'integer').as('counted'),
        ]),
    )
    .with('placed', (q) =>
      q
        .selectFrom('standings as s')
        .leftJoin('gains as d', 'd.agent_id', 's.agent_id')
        .select((of) => {
          const points = of.ref('s.alltime_points');
          const before = of(points, '-', of.fn.coalesce('d.points', of.lit(0)));
          const counted = of.fn.coalesce('d.counted', of.lit(0));
          return [
            's.agent_id',
            points.as('points'),
            before.as('points_before'),
            rankAmong(of('s.alltime_competitions', '>', of.lit(0)), points).as('place'),
            rankAmong(of('s.alltime_competitions', '>', counted), before).as('place_before'),
          ];
        }),
    )
    .selectFrom('placed as m')
    .innerJoin('agents as a', 'a.id', 'm.agent_id')
    .select(['a.name as agent', 'm.points', 'm.points_before', 'm.place', 'm.place_before'])
    .where((of) =>
      of.or([
        of('m.points', '<>', of.ref('m.points_before')),
        of('m.place', 'is distinct from', of.ref('m.place_before')),
      ]),
    )
    .orderBy((of) => of.fn('abs', [of('m.points', '-', of.ref('m.points_before'))]), 'desc')
    .orderBy('m.place')
    .orderBy('a.id')
    .limit(NAMED_MOVES)
    .execute();
}

/** An agent's rank by points among those on the board; null for others. */
function rankAmong(isOn: Expression<SqlBool>, points: Expression<number>) {
  const rank = parts.fn.agg('rank').over((all) => all.orderBy(isOn, 'desc').orderBy(points, 'desc'));
  return parts.case().when(isOn).then(parts.cast<number>(rank, 'integer')).end();
}
