import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { SurePlace } from '../entities/ordered-board.ts';
import type { Period } from '../rules/windows.ts';
import { rows } from './sql.ts';

/**
 * How sure the place of an agent is on a window's board by points, as one value; null where it is none of the first 100, and
 * until it is worked out of the board as it is.
 */
export function surePlaceOf(period: Period, agentId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select o.sure_places -> (${agentId})::text from ordered_boards o join platform q
    on q.id = 1 and q.resolved_rounds = o.resolved_rounds
    where o.period = ${sql.lit(period)} and o.order_by = 'POINTS' and o.min_rounds = 0)`;
}

/** The same of several agents. */
export async function surePlacesOf(
  em: SqlEntityManager,
  { period }: { readonly period: Period },
  agents: readonly number[],
): Promise<readonly (SurePlace | null)[]> {
  const found = await rows<{ agentId: number; sure: SurePlace | null }>(em)`
    select a.id as "agentId", ${surePlaceOf(period, sql`a.id`)} as sure from unnest(${[...agents]}::int[]) a(id)`;
  const places = new Map(found.map(({ agentId, sure }) => [agentId, sure]));
  return agents.map((agent) => places.get(agent) ?? null);
}
