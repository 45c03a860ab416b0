import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { SCORES } from '../reads/scores.ts';
import { rows } from '../reads/sql.ts';
import type { TallyRow } from '../rules/crowd.ts';

/** What was standing and nobody submitted: kinds that are scored, and not of the crowd. */
export async function standingKinds(transaction: SqlEntityManager, roundId: number): Promise<readonly TallyRow[]> {
  return rows<TallyRow>(transaction)`
    select prediction as answer, confidence, 0 as n from predictions where round_id = ${roundId}
      and exists (select from rounds where id = ${roundId} and standing_at is not null)
    group by 1, 2 having bool_and(standing)`;
}

/** Adds the edges of a round's standing predictions, which is scored, to those of all time. */
export async function addStandingEdges(transaction: SqlEntityManager, roundId: number): Promise<void> {
  await rows(transaction)`
    insert into standing_edges as t (agent_id, n, edge_sum, edge_square_sum)
    select agent_id, 1, edge_millionths, edge_millionths::int8 * edge_millionths from scores
    where round_id = ${roundId} and standing and edge_millionths is not null
      and exists (select from rounds where id = ${roundId} and standing_at is not null)
    order by agent_id
    on conflict (agent_id) do update set n = t.n + 1, edge_sum = t.edge_sum + excluded.edge_sum,
      edge_square_sum = t.edge_square_sum + excluded.edge_square_sum`;
}

/** Adds up anew what the standing predictions of a round's agents come to over all time, after an amendment. */
export async function renewStandingEdges(transaction: SqlEntityManager, roundId: number): Promise<void> {
  const agents = sql`select agent_id from predictions where round_id = ${roundId} and standing`;
  await rows(transaction)`delete from standing_edges where agent_id in (${agents})`;
  await rows(transaction)`
    insert into standing_edges (agent_id, n, edge_sum, edge_square_sum)
    select s.agent_id, count(*), sum(s.edge_millionths), sum(s.edge_millionths::int8 * s.edge_millionths) from ${SCORES} s
    where s.agent_id in (${agents}) and s.standing and s.edge_millionths is not null group by 1`;
}
