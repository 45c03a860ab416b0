import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DB } from '../../entities/tables.ts';
import { edgesIn } from '../../reads/plan/board-keys.ts';
import {
  chanceOfMean,
  INTERVAL_MIN_ROUNDS,
  mayBeNamed,
  skilledAmong,
  type SkilledCounts,
} from '../../rules/statistics/means.ts';

/** The number of standings that one statement reads: their chances take a millisecond. */
const PAGE = 5_000;

const EDGES = edgesIn('alltime').$castTo<number>();

/** The number of agents that look skilled by the edge of their submissions over all time, and the number expected by chance. */
export async function skilledAgents(em: SqlEntityManager): Promise<SkilledCounts> {
  const chances: number[] = [];
  let tested = 0;
  for (let after = 0; ;) {
    const found = await em
      .getKysely<DB>()
      .selectFrom('standings as s')
      .select(['agent_id as agentId', EDGES.as('n')])
      .select((of) => [
        of.cast<number>('alltime_edge_sum', 'float8').as('sum'),
        of.cast<number>('alltime_edge_square_sum', 'float8').as('squareSum'),
      ])
      .where('agent_id', '>', after)
      .where(EDGES, '>=', INTERVAL_MIN_ROUNDS)
      .orderBy('agent_id')
      .limit(PAGE)
      .execute();
    tested += found.length;
    for (const chance of found.map(chanceOfMean)) if (chance !== null && mayBeNamed(chance)) chances.push(chance);
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return skilledAmong(chances, tested);
    after = last.agentId;
  }
}
