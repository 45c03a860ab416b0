import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { LONGEST_REASON } from '../rules/admin-actions.ts';
import { AGENT_MODES } from '../rules/agents.ts';
import { TEXT_LENGTHS } from '../rules/agent-texts.ts';
import { belongsTo, countsNames, index, keepsPredicted, reservesNames } from './table-parts.ts';

/** An agent's identity, written by the agent itself and by operators. Results are in standings. */
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
    /** SHA-256 of the API key in hex (HMAC with a pepper); the key is not stored. */
    keyHash: p.string().length(64).unique('agents_key_hash_unique').hidden(),
    registeredAt: p.datetime(3),
    /** The end of a spectator's reservation; null for agents that compete. */
    reservedUntil: p.datetime(3).nullable(),
    /** The reason of a block; null if not blocked. */
    blockReason: p.string().length(LONGEST_REASON).nullable(),
    /** The time at which an operator removed all that identifies a person. */
    removedAt: p.datetime(3).nullable(),
    /** The agent's description and link, both public. */
    about: p.string().length(TEXT_LENGTHS.about).nullable(),
    url: p.string().length(TEXT_LENGTHS.url).nullable(),
  },
  indexes: [
    // Names with the same beginning are adjacent, whichever collation the database has.
    index('agents_name_beginning', '"agents" (name_key collate "C")'),
    // For the reservations that end on one day, which `name_counts` does not distinguish.
    index('agents_reserved_until', `"agents" ("reserved_until") where mode = 'spectate' and name_key is not null`),
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
 * The number of agents that hold their names up to a day, so that no read counts all agents. Triggers of `agents` keep
 * it, whichever version of the service writes.
 */
export const NameCount = defineEntity({
  name: 'NameCount',
  tableName: 'name_counts',
  properties: {
    /**
     * The UTC day on which the reservation ends, in days since 1970-01-01; the greatest integer for agents that
     * compete.
     */
    lastDay: p.integer().primary().autoincrement(false),
    agents: p.integer(),
  },
});

/** The former names of renamed agents, which no other agent can register. */
export const ReservedName = defineEntity({
  name: 'ReservedName',
  tableName: 'reserved_names',
  properties: {
    nameKey: p.string().length(50).primary(),
    agentId: () => belongsTo(Agent, 'agent_id'),
  },
  indexes: [{ name: 'reserved_names_agent', properties: ['agentId'] }],
});
