import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

import { KEPT_TRIES, LONGEST_URL, MAX_WEBHOOKS, WEBHOOK_STATES } from '../rules/webhooks.ts';
import { Agent } from './agent.ts';
import type { EventKind } from './event.ts';
import { belongsTo, uniqueIndex } from './table-parts.ts';

/** An agent's address for events: a cursor over the log. All times are real time. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.integer().primary(),
    agentId: () => belongsTo(Agent, 'agent_id'),
    /** From 1, unique per agent: limits their number. */
    place: p.smallint(),
    url: p.string().length(LONGEST_URL),
    /** As in the log. */
    kinds: p.array(String).columnType('text[]').$type<EventKind[]>(),
    /** The last event that was accepted or skipped. */
    cursorSeq: p.integer(),
    state: p.enum(WEBHOOK_STATES),
    /** The time since which every try has failed. */
    failingSince: p.datetime(3).nullable(),
    /** Failures of the event behind the cursor. */
    failures: p.integer().default(0),
    nextTryAt: p.datetime(3).defaultRaw('now()'),
    /** The end of a worker's claim. A later claim has a greater `claim`. */
    claimedUntil: p.datetime(3).defaultRaw('now()'),
    claim: p.integer().default(0),
    /** True if its last try failed or was slow: such webhooks have separate slots. */
    slow: p.boolean().default(false),
    tries: p.integer().default(0),
    /** Test messages, requested and sent. */
    testsAsked: p.integer().default(0),
    testsSent: p.integer().default(0),
  },
  uniques: [{ name: 'webhooks_place', properties: ['agentId', 'place'] }],
  indexes: [{ name: 'webhooks_due', properties: ['nextTryAt'] }],
  checks: [{ name: 'webhooks_place_check', expression: `place >= 1 and place <= ${MAX_WEBHOOKS}` }],
});

export type Webhook = InferEntity<typeof Webhook>;

/** The last `KEPT_TRIES` tries of a webhook, as a ring. */
export const WebhookTry = defineEntity({
  name: 'WebhookTry',
  tableName: 'webhook_tries',
  properties: {
    webhookId: () => belongsTo(Webhook, 'webhook_id').deleteRule('cascade').primary(),
    slot: p.smallint().primary().autoincrement(false),
    /** From 1. */
    number: p.integer(),
    at: p.datetime(3),
    messageId: p.string().length(64),
    type: p.string().length(64),
    status: p.smallint().nullable(),
    error: p.string().length(200).nullable(),
    durationMs: p.integer(),
  },
  checks: [{ name: 'webhook_tries_slot_check', expression: `slot >= 0 and slot < ${KEPT_TRIES}` }],
});

/** The keys that sign; the newest is the present one. Both halves are in base64. */
export const ServiceKey = defineEntity({
  name: 'ServiceKey',
  tableName: 'service_keys',
  properties: {
    id: p.integer().primary(),
    publicKey: p.string().length(64).unique('service_keys_public_key_unique'),
    /** PKCS #8, encrypted if there was a pepper (`sealed`); null once it no longer signs. */
    privateKey: p.text().nullable().hidden(),
    sealed: p.boolean(),
    createdAt: p.datetime(3),
    retiredAt: p.datetime(3).nullable(),
    /** The note that it replaces the previous key, and the signatures of both over these bytes. */
    note: p.text().nullable(),
    signatures: p.array(String).columnType('text[]'),
  },
  indexes: [uniqueIndex('service_keys_current', '"service_keys" ((retired_at is null)) where retired_at is null')],
});
