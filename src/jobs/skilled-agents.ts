import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { type Skilled, skilledAmong } from '../rules/statistics/many-agents.ts';
import { chanceOfMean, INTERVAL_MIN_ROUNDS } from '../rules/statistics/mean-interval.ts';

/** So many standings are read at once. */
const PAGE = 20_000;

interface EdgeSums {
  readonly agentId: number;
  readonly n: number;
  readonly sum: number;
  readonly squareSum: number;
}

/** How many of all agents with enough rounds look skilled by their edge over all time, and how many would by chance. */
export async function countSkilled(em: SqlEntityManager): Promise<Skilled> {
  const chances: number[] = [];
  for (let after = 0; ;) {
    const { rows } = await sql<EdgeSums>`
      select agent_id as "agentId", alltime_competitions as n, alltime_edge_sum::float8 as sum,
        alltime_edge_square_sum::float8 as "squareSum"
      from standings where agent_id > ${after} and alltime_competitions >= ${INTERVAL_MIN_ROUNDS}
      order by agent_id limit ${PAGE}`.execute(em.getKysely());
    for (const sums of rows) {
      const chance = chanceOfMean(sums);
      if (chance !== null) chances.push(chance);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return skilledAmong(chances);
    after = last.agentId;
  }
}
