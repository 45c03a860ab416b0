import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** How many rounds the agent predicted that are not decided yet. */
export async function openPredictionsOf(em: SqlEntityManager, agentId: number): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from rounds r join predictions p on p.round_id = r.id
    where r.status in ('upcoming', 'active', 'resolving') and p.agent_id = ${agentId}`.execute(em.getKysely());
  return rows[0]?.open ?? 0;
}
