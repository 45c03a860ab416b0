import { defineEntity, p } from '@mikro-orm/core';
import { AGENT_MODES } from '../rules/agents.ts';

/** An agent's identity. Written by registration, activation and key rotation alone; results live in standings. */
const AgentSchema = defineEntity({
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
  },
  checks: [
    { name: 'agents_name_check', expression: "name ~ '^[A-Za-z0-9_-]{3,50}$'" },
    { name: 'agents_reservation_check', expression: "mode <> 'spectate' or reserved_until is not null" },
  ],
});

export class Agent extends AgentSchema.class {}
AgentSchema.setClass(Agent);
