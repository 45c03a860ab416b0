import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import {
  chanceOfMean,
  INTERVAL_MIN_ROUNDS,
  mayBeNamed,
  type Skilled,
  skilledAmong,
} from '../../rules/statistics/means.ts';
import { rows } from '../../reads/sql.ts';

/** So many standings are read at once. */
const PAGE = 20_000;

/** How many predictions of a standing `s` have an edge. */
const EDGES = sql`s.alltime_competitions - s.alltime_without_edge`;

interface EdgeSums {
  readonly agentId: number;
  readonly n: number;
  readonly sum: number;
  readonly squareSum: number;
}

/** How many agents look skilled by the edge of what they submitted over all time, and how many would by chance. */
export async function skilledAgents(em: SqlEntityManager): Promise<Skilled> {
  const chances: number[] = [];
  let tested = 0;
  for (let after = 0; ;) {
    const found = await rows<EdgeSums>(em)`
      select s.agent_id as "agentId", ${EDGES} as n,
        s.alltime_edge_sum::float8 as sum, s.alltime_edge_square_sum::float8 as "squareSum"
      from standings s where agent_id > ${after} and ${EDGES} >= ${INTERVAL_MIN_ROUNDS}
      order by agent_id limit ${PAGE}`;
    tested += found.length;
    for (const chance of found.map(chanceOfMean)) if (chance !== null && mayBeNamed(chance)) chances.push(chance);
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return skilledAmong(chances, tested);
    after = last.agentId;
  }
}
