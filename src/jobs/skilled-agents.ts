import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { BoardCandidates } from '../entities/ordered-board.ts';
import {
  chanceOfMean,
  INTERVAL_MIN_ROUNDS,
  mayBeNamed,
  type Skilled,
  skilledAmong,
} from '../rules/statistics/means.ts';
import { planned } from './planning.ts';
import type { DrawnRound } from './ordered-board-statements.ts';

/** So many standings are read at once. */
const PAGE = 20_000;

interface EdgeSums {
  readonly agentId: number;
  readonly n: number;
  readonly sum: number;
  readonly squareSum: number;
}

/** How many agents have enough rounds to be tested for skill, and those who may be named, with their chances. */
export type TestedAgents = Pick<BoardCandidates, 'tested' | 'likely'>;

/** How many look skilled by their edge over all time, and how many would by chance. */
export function skilledOf({ tested, likely }: TestedAgents): Skilled {
  return skilledAmong(
    likely.map(([, chance]) => chance),
    tested,
  );
}

/** All agents, tested. */
export async function testAgents(em: SqlEntityManager): Promise<TestedAgents> {
  const likely: (readonly [number, number])[] = [];
  let tested = 0;
  for (let after = 0; ;) {
    const { rows } = await sql<EdgeSums>`
      select ${EDGE_SUMS} from standings s where agent_id > ${after} and ${IS_TESTED}
      order by agent_id limit ${PAGE}`.execute(em.getKysely());
    tested += rows.length;
    likely.push(...rows.flatMap(likelyOf));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return { tested, likely };
    after = last.agentId;
  }
}

/** The same after rounds were resolved, which all others have not moved in. */
export async function testAgain(
  em: SqlEntityManager,
  before: TestedAgents,
  entered: readonly DrawnRound[],
): Promise<TestedAgents> {
  const ids = entered.map(({ id }) => id);
  const { rows } = await em.transactional((transaction) =>
    planned(transaction, 'by key', () =>
      sql<EdgeSums & { readonly entered: number }>`
        select ${EDGE_SUMS}, x.entered
        from (select agent_id, count(*)::int as entered from scores where round_id = any(${ids}::int[]) group by agent_id) x
        join standings s on s.agent_id = x.agent_id where ${IS_TESTED}`.execute(transaction.getKysely()),
    ),
  );
  const moved = new Set(rows.map(({ agentId }) => agentId));
  return {
    tested: before.tested + rows.filter(({ n, entered: more }) => n - more < INTERVAL_MIN_ROUNDS).length,
    likely: [...before.likely.filter(([agentId]) => !moved.has(agentId)), ...rows.flatMap(likelyOf)],
  };
}

const EDGE_SUMS = sql`s.agent_id as "agentId", s.alltime_competitions as n, s.alltime_edge_sum::float8 as sum,
  s.alltime_edge_square_sum::float8 as "squareSum"`;

/** Whose chance is not null. */
const IS_TESTED = sql`s.alltime_competitions >= ${INTERVAL_MIN_ROUNDS}`;

function likelyOf(sums: EdgeSums): readonly (readonly [agentId: number, chance: number])[] {
  const chance = chanceOfMean(sums);
  return chance !== null && mayBeNamed(chance) ? [[sums.agentId, chance]] : [];
}
