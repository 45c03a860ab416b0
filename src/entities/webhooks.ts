import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

import { KEPT_TRIES, LONGEST_URL, MAX_WEBHOOKS, WEBHOOK_STATES } from '../rules/webhooks.ts';
import { Agent } from './agent.ts';
import type { EventKind } from './event.ts';
import { belongsTo } from './table-parts.ts';

/** An address to which an agent has the log's events sent: a cursor over the log. All times are real ones. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.integer().primary(),
    agentId: () => belongsTo(Agent, 'agent_id'),
    /** From 1: the guard of how many an agent has. */
    place: p.smallint(),
    url: p.string().length(LONGEST_URL),
    /** As the log spells them. */
    kinds: p.array(String).columnType('text[]').$type<EventKind[]>(),
    /** The last event that was taken, or that is none of its own. */
    cursorSeq: p.integer(),
    state: p.enum(WEBHOOK_STATES),
    /** Since when every try has failed. */
    failingSince: p.datetime(3).nullable(),
    /** Of the event behind the cursor. */
    failures: p.integer().default(0),
    nextTryAt: p.datetime(3).defaultRaw('now()'),
    /** A worker has it in hand until then, unless that has died; who began later has the greater `claim`. */
    claimedUntil: p.datetime(3).defaultRaw('now()'),
    claim: p.integer().default(0),
    /** Whether its last try failed or took long: such ones take no places from the others. */
    slow: p.boolean().default(false),
    /** All tries so far. */
    tries: p.integer().default(0),
    /** Test messages that were asked for, and sent. */
    testsAsked: p.integer().default(0),
    testsSent: p.integer().default(0),
  },
  uniques: [{ name: 'webhooks_place', properties: ['agentId', 'place'] }],
  indexes: [{ name: 'webhooks_due', properties: ['nextTryAt'] }],
  checks: [{ name: 'webhooks_place_check', expression: `place >= 1 and place <= ${MAX_WEBHOOKS}` }],
});

export type Webhook = InferEntity<typeof Webhook>;

/** The last tries of a webhook: each takes the place of the one that was `KEPT_TRIES` before it. */
export const WebhookTry = defineEntity({
  name: 'WebhookTry',
  tableName: 'webhook_tries',
  properties: {
    webhookId: () => belongsTo(Webhook, 'webhook_id').deleteRule('cascade').primary(),
    slot: p.smallint().primary().autoincrement(false),
    /** From 1, over all tries. */
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

/** The keys by which the service signs, the newest of which it does. Both halves in base64. */
export const ServiceKey = defineEntity({
  name: 'ServiceKey',
  tableName: 'service_keys',
  properties: {
    id: p.integer().primary(),
    publicKey: p.string().length(64).unique('service_keys_public_key_unique'),
    /** PKCS #8, encrypted where there was a pepper (`sealed`); null once it signs nothing any more. */
    privateKey: p.text().nullable().hidden(),
    sealed: p.boolean(),
    createdAt: p.datetime(3),
    retiredAt: p.datetime(3).nullable(),
    /** What says that it follows the key before it, and that key's signature and its own of these bytes. */
    note: p.text().nullable(),
    signatures: p.array(String).columnType('text[]'),
  },
  indexes: [
    {
      name: 'service_keys_current',
      expression:
        'create unique index "service_keys_current" on "service_keys" ((retired_at is null)) where retired_at is null',
    },
  ],
});
