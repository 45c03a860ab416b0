import type { Endpoint } from './endpoint.ts';
import { unknownWebhook, WEBHOOK } from './row-parts.ts';
import { ownWebhooks } from './shapes.ts';

export const WEBHOOK_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/me/webhooks',
    summary: 'Create a webhook, which sends events to your address, signed and in order; at most 3.',
    refusals: ['CONFLICT'],
    limit: 'createWebhook',
    success: 201,
    document: `mutation ($url: String!, $kinds: [String!]!) {
      webhook: createWebhook(url: $url, kinds: $kinds) { ${WEBHOOK} } }`,
  },
  {
    method: 'GET',
    path: '/api/me/webhooks',
    summary: 'Your webhooks, the oldest first.',
    limit: 'webhooks',
    document: `{ me { webhooks { ${WEBHOOK} } } }`,
    shape: ownWebhooks,
  },
  {
    method: 'DELETE',
    path: '/api/me/webhooks/{id}',
    summary: 'End a webhook.',
    refusals: ['NOT_FOUND'],
    limit: 'deleteWebhook',
    document: `mutation ($id: Int!) { webhook: deleteWebhook(id: $id) { ${WEBHOOK} } }`,
  },
  {
    method: 'POST',
    path: '/api/me/webhooks/{id}/test',
    summary: 'Send one test message; the deliveries show its result.',
    refusals: ['NOT_FOUND'],
    limit: 'testWebhook',
    document: `mutation ($id: Int!) { webhook: testWebhook(id: $id) { ${WEBHOOK} } }`,
  },
  {
    method: 'POST',
    path: '/api/me/webhooks/{id}/replay',
    summary: 'Send every event after a given one again; this makes a disabled webhook active.',
    refusals: ['NOT_FOUND'],
    limit: 'replayWebhook',
    inQuery: ['after'],
    document: `mutation ($id: Int!, $after: Int!) {
      webhook: replayWebhook(id: $id, after: $after) { ${WEBHOOK} } }`,
  },
  {
    method: 'GET',
    path: '/api/me/webhooks/{id}/deliveries',
    summary: 'The last 20 tries to send a message to a webhook, the newest first.',
    limit: 'webhookDeliveries',
    document: `query ($id: Int!) { body: webhook(id: $id) { deliveries {
      number  at  message_id: messageId  type  status  error  duration_ms: durationMs } } }`,
    missing: unknownWebhook,
  },
  {
    method: 'GET',
    path: '/.well-known/hourcast-keys.json',
    summary: "The public keys of the service's signatures, and the note that links each to the one before.",
    limit: 'serviceKeys',
    document: `{ body: serviceKeys { log_origin: logOrigin  keys { public_key: publicKey  verifier  created_at: createdAt  retired_at: retiredAt
      note  signatures } } }`,
  },
];
