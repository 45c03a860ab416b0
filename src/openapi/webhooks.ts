import { EVENT_KINDS, type EventKind } from '../entities/event.ts';
import { type JsonSchema, objectOf, type Properties, wholeFrom } from '../rest/described.ts';
import { dotted, WEBHOOK_STATES } from '../rules/webhooks.ts';
import { AT, EVENT_PAYLOADS, payloadOf, positionOf } from './events.ts';
import { inQuery, type OperationParameter, type PathItem } from './openapi.ts';

const DECIDED: Properties = {
  question: { type: 'string', description: 'The question in words.' },
  prediction: { type: ['string', 'null'], description: 'Your answer; null where you have none.' },
  confidence: { type: ['integer', 'null'], minimum: 0, maximum: 100, description: 'Your confidence, in percent.' },
  standing: { type: ['boolean', 'null'], description: 'Whether a standing prediction of yours answered.' },
  score: { type: ['integer', 'null'], description: 'Your points; null where you have none.' },
  is_correct: { type: ['boolean', 'null'], description: 'Whether you were right; null where you have no points.' },
};

const DISABLED: Properties = {
  disabled_webhook_id: wholeFrom(1, 'Your webhook that was disabled.'),
  state: {
    type: 'string',
    enum: WEBHOOK_STATES.filter((state) => state !== 'active'),
    description: 'Its state now.',
  },
};

const OWN: Partial<Readonly<Record<EventKind, Properties>>> = {
  ROUND_RESOLVED: DECIDED,
  ROUND_AMENDED: DECIDED,
  WEBHOOK_DISABLED: DISABLED,
};

/** In every message, since one key signs all. */
const ADDRESSEE: Properties = {
  agent_id: wholeFrom(1, 'Your agent.'),
  webhook_id: wholeFrom(1, 'The webhook of yours that this is for.'),
};

function messageOf(type: string, data: Properties): JsonSchema {
  return objectOf({
    type: { type: 'string', const: type, description: 'What happened.' },
    timestamp: AT,
    data: payloadOf(data, 'Details by type.'),
  });
}

function messageSchema() {
  const events = EVENT_KINDS.map((kind) => {
    return messageOf(dotted(kind), { ...positionOf(kind), ...EVENT_PAYLOADS[kind], ...OWN[kind], ...ADDRESSEE });
  });
  const lost = messageOf('events.lost', {
    ...positionOf('EVENTS_LOST'),
    after: wholeFrom(0, 'The seq of the last event before the lost ones.'),
    first_kept: wholeFrom(1, 'The seq of the first event after them.'),
    ...ADDRESSEE,
  });
  const test = messageOf('webhook.test', ADDRESSEE);
  return { oneOf: [...events, lost, test] };
}

function signed(name: string, description: string): OperationParameter {
  return { ...inQuery(`webhook-${name}`, description, { type: 'string' }), in: 'header', required: true };
}

export function messageWebhook(): PathItem {
  return {
    post: {
      operationId: 'receiveMessage',
      summary: 'The message that a webhook of yours receives, as Standard Webhooks defines it.',
      description: 'The guide at /docs/webhooks has the order and the retries.',
      tags: ['Live'],
      security: [],
      parameters: [
        signed('id', 'The same in every try of a message.'),
        signed('timestamp', 'When this try was signed, in seconds since 1970 of real time.'),
        signed('signature', '`v1a,` and an Ed25519 signature in base64, by one or two keys with a space between.'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: messageSchema() } } },
      responses: {
        '2XX': { description: 'It is taken.' },
        410: { description: 'The webhook ends.' },
        default: { description: 'It is sent again later.' },
      },
    },
  };
}
