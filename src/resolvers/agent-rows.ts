import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { type AgentMode, nameKey } from '../rules/agent-name.ts';
import type { Context } from './context.ts';
import { holdsName } from './reservation.ts';
import { NO_STANDING, STANDING_COLUMN, type StandingRow } from './standing-rows.ts';

/** An agent as the schema shows it. */
export interface AgentRow {
  readonly id: number;
  readonly name: string;
  readonly mode: AgentMode;
  readonly registeredAt: Date;
  /** Null before the first scored prediction; unset where it was not read along. */
  readonly standing?: StandingRow | null;
}

/** The columns of an `AgentRow`, of an agent `a` and its standing `s`. */
export const AGENT_COLUMNS: RawBuilder<unknown> = sql`
  a.id, a.name, a.mode, a.registered_at as "registeredAt", ${STANDING_COLUMN}`;

export const AGENTS_AND_STANDINGS: RawBuilder<unknown> = sql`agents a left join standings s on s.agent_id = a.id`;

/** The agents with these ids and their standings, in any order. */
export async function agentsById(em: SqlEntityManager, ids: readonly number[]): Promise<readonly AgentRow[]> {
  const { rows } = await sql<AgentRow>`
    select ${AGENT_COLUMNS} from ${AGENTS_AND_STANDINGS} where a.id = any(${[...ids]})`.execute(em.getKysely());
  return rows;
}

/** The agent with this id, or with this name without regard to case, that holds its name at `now`; else null. */
export async function findAgent(
  em: SqlEntityManager,
  who: { readonly id: number } | { readonly name: string },
  now: Date,
): Promise<AgentRow | null> {
  const wanted = 'id' in who ? sql`a.id = ${who.id}` : sql`a.name_key = ${nameKey(who.name)}`;
  const { rows } = await sql<AgentRow>`
    select ${AGENT_COLUMNS} from ${AGENTS_AND_STANDINGS} where ${wanted} and ${holdsName(now)}`.execute(em.getKysely());
  return rows[0] ?? null;
}

/** The agent's standing; one with nothing in it before the first scored prediction. */
export async function standingOf(agent: AgentRow, context: Context): Promise<StandingRow> {
  const { standing } = agent.standing === undefined ? await context.loaders.agent.load(agent.id) : agent;
  return standing ?? NO_STANDING;
}
