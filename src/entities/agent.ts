import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { LONGEST_REASON } from '../rules/admin-actions.ts';
import { AGENT_MODES } from '../rules/agents.ts';
import { WORD_LENGTHS } from '../rules/words.ts';
import { belongsTo, countsNames, keepsPredicted, reservesNames } from './table-parts.ts';

/** An agent's identity. Written by the agent itself and by operators alone; results live in standings. */
export const Agent = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  properties: {
    id: p.integer().primary(),
    name: p.string().length(50),
    /** The name in lower case, unique: names are taken without regard to case. Null once a reservation ran out. */
    nameKey: p.string().length(50).unique('agents_name_key_unique').nullable(),
    mode: p.enum(AGENT_MODES),
    walletAddress: p.string().length(64).nullable(),
    /** SHA-256 of the API key in hex (HMAC with a pepper): the key itself is stored nowhere. */
    keyHash: p.string().length(64).unique('agents_key_hash_unique').hidden(),
    registeredAt: p.datetime(3),
    /** When a spectator's name is free again; null for those who compete. */
    reservedUntil: p.datetime(3).nullable(),
    /** Why an operator has blocked it; null: it is not blocked. */
    blockReason: p.string().length(LONGEST_REASON).nullable(),
    /** When an operator removed what names a person. */
    removedAt: p.datetime(3).nullable(),
    /** What it says of itself, and where there is more; both public. */
    about: p.string().length(WORD_LENGTHS.about).nullable(),
    url: p.string().length(WORD_LENGTHS.url).nullable(),
  },
  indexes: [
    {
      // Whose reservations end on one day: what `name_counts` does not tell.
      name: 'agents_reserved_until',
      expression: `create index "agents_reserved_until" on "agents" ("reserved_until")
        where mode = 'spectate' and name_key is not null`,
    },
  ],
  triggers: [
    countsNames('insert', 'new table as after'),
    countsNames('update', 'old table as before new table as after'),
    countsNames('delete', 'old table as before'),
    keepsPredicted('agents'),
    reservesNames(),
  ],
  checks: [
    { name: 'agents_key_hash_check', expression: "key_hash ~ '^[0-9a-f]{64}$'" },
    { name: 'agents_name_check', expression: "name ~ '^[A-Za-z0-9_-]{3,50}$'" },
    { name: 'agents_reservation_check', expression: "mode <> 'spectate' or reserved_until is not null" },
  ],
});

export type Agent = InferEntity<typeof Agent>;

/**
 * How many agents hold their names up to which day, so that nobody counts all agents to say how many there are. Kept by
 * triggers of `agents`, so that it is right whichever version of the service writes.
 */
export const NameCount = defineEntity({
  name: 'NameCount',
  tableName: 'name_counts',
  properties: {
    /** Days since 1970-01-01 of the UTC day on which the reservation ends; the greatest integer of those who compete. */
    lastDay: p.integer().primary().autoincrement(false),
    agents: p.integer(),
  },
});

/** The former names of agents that an operator has renamed: nobody else can take them. */
export const ReservedName = defineEntity({
  name: 'ReservedName',
  tableName: 'reserved_names',
  properties: {
    nameKey: p.string().length(50).primary(),
    agentId: () => belongsTo(Agent, 'agent_id'),
  },
  indexes: [{ name: 'reserved_names_agent', properties: ['agentId'] }],
});
