import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Period } from '../rules/windows.ts';

/** Each agent's rank on a window's whole board; null for those who are not on it. */
export async function ranksOf(
  em: SqlEntityManager,
  { period }: { readonly period: Period },
  agents: readonly number[],
): Promise<readonly (number | null)[]> {
  const { rows } = await sql<{ agentId: number; rank: number }>`
    select s.agent_id as "agentId", b.rank
    from standings s join board_ranks b on b.period = ${period} and b.points = ${sql.ref(`s.${period}_points`)}
    where s.agent_id = any(${[...agents]}) and ${sql.ref(`s.${period}_competitions`)} > 0`.execute(em.getKysely());
  const ranks = new Map(rows.map(({ agentId, rank }) => [agentId, rank]));
  return agents.map((agent) => ranks.get(agent) ?? null);
}
