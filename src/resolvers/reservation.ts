import { type RawBuilder, sql } from 'kysely';

import type { Agent } from '../entities/agent.ts';

/** Whether a spectator's name reservation ran out without an activation (spec 1): then it is nobody's any more. */
export function isReleased(agent: Pick<Agent, 'mode' | 'nameKey' | 'reservedUntil'>, now: Date): boolean {
  if (agent.nameKey === null) return true;
  return agent.mode === 'spectate' && agent.reservedUntil != null && agent.reservedUntil <= now;
}

/** SQL: whether the agent `a` holds its name at `now`, the opposite of `isReleased`. */
export function holdsName(now: Date): RawBuilder<unknown> {
  return sql`a.name_key is not null and (a.mode <> 'spectate' or a.reserved_until > ${now})`;
}
