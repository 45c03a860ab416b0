import { EVENT_KINDS, type EventKind } from '../entities/event.ts';
import { type JsonSchema, nullable, objectOf, type Properties, wholeFrom, without } from '../rest/described.ts';
import { ADMIN_ACTIONS } from '../rules/admin-actions.ts';
import { CHECKPOINTS } from '../rules/forecast/forecast.ts';
import { VOID_REASONS } from '../rules/round-states.ts';
import { TIER_NAMES } from '../rules/tiers.ts';
import { PERIODS } from '../rules/windows.ts';
import { INSTANT } from './document-data.ts';
import { pascalCased } from './names.ts';
import { component, inQuery, type Operation, type PathItem } from './openapi.ts';
import { headers, inWords, LIMITED, rateLimit, refusals, STREAM_REFUSALS } from './responses.ts';

export const SENT_KINDS = [...EVENT_KINDS, 'HEARTBEAT'] as const;

type SentKind = EventKind | 'HEARTBEAT';

const SYMBOLS: JsonSchema = { type: 'array', items: { type: 'string' }, description: 'The valid answers.' };
const SYMBOL: JsonSchema = { type: 'string' };
const VOID_REASON = { type: ['string', 'null'], enum: [...VOID_REASONS, null] };
const BY_ANSWER = { type: 'object', additionalProperties: { type: 'number', minimum: 0, maximum: 1 } } as const;
const ROUND_ACTIONS = ADMIN_ACTIONS.filter(({ of }) => of === 'rounds').map(({ name }) => name);
const AGENT: Properties = {
  agent_id: wholeFrom(1, 'The agent.'),
  agent_name: { type: 'string', description: "The agent's name." },
};
const CHECKPOINT: JsonSchema = { type: 'string', description: 'The signed checkpoint of the log that contains it.' };
const TIER: JsonSchema = { type: 'string', enum: TIER_NAMES };

const QUESTION: Properties = {
  question: { type: 'string', description: 'The question in words.' },
  question_type: { type: 'string', description: 'One of the 13 kinds.' },
  choices: SYMBOLS,
  starts_at: { ...INSTANT, description: 'The start of the hour.' },
  ends_at: { ...INSTANT, description: 'One hour later.' },
};

export const EVENT_PAYLOADS: Readonly<Record<SentKind, Properties>> = {
  ROUND_STORED: QUESTION,
  ROUND_OPENED: QUESTION,
  FORECAST: {
    minute: { type: 'integer', enum: CHECKPOINTS, description: 'The checkpoint, in minutes of the hour.' },
    entries: wholeFrom(0, 'The number of predictions that it uses.'),
    probabilities: { ...BY_ANSWER, description: 'The forecast, by answer; absent while it is sealed.' },
    price: { ...BY_ANSWER, description: 'The forecast from the price alone, by answer; absent while it is sealed.' },
  },
  STANDING_APPLIED: {
    entries: wholeFrom(1, 'The number of predictions made from standing ones.'),
  },
  ROUND_UNANSWERED: { closes_at: { ...INSTANT, description: 'The time from which the round takes no answers.' } },
  ROUND_CLOSED: {
    total_entries: wholeFrom(0, 'Predictions that were accepted.'),
    checkpoint: CHECKPOINT,
  },
  ROUND_RESOLVED: {
    outcome: { type: 'string', description: 'The winning answer.' },
    resolution_value: wholeFrom(0, 'The winning answer as a number, as in the results.'),
    total_entries: wholeFrom(0, 'Predictions that were scored.'),
    checkpoint: CHECKPOINT,
  },
  ROUND_VOID: {
    reason: { type: 'string', enum: VOID_REASONS, description: 'Why it has no outcome.' },
    checkpoint: CHECKPOINT,
  },
  ROUND_AMENDED: {
    outcome: {
      ...nullable(SYMBOL),
      description: 'The winning answer of the new decision; null if that is void.',
    },
    void_reason: { ...VOID_REASON, description: 'The reason for which the new decision is void, or null.' },
    previous_outcome: { ...nullable(SYMBOL), description: 'The winning answer of the previous decision, or null.' },
    previous_void_reason: {
      ...VOID_REASON,
      description: 'The reason for which the previous decision was void, or null.',
    },
    reason: { type: 'string', description: "The operator's reason." },
    checkpoint: CHECKPOINT,
  },
  LEADERBOARD_CHANGED: {
    periods: {
      type: 'array',
      items: { type: 'string', enum: PERIODS },
      description: 'The windows whose boards changed.',
    },
  },
  TIER_CHANGED: {
    ...AGENT,
    from: { ...TIER, description: 'The tier before.' },
    to: { ...TIER, description: 'The tier now.' },
  },
  STANDING_LAPSED: AGENT,
  WEBHOOK_DISABLED: {},
  ADMIN_ACTION: {
    action: { type: 'string', enum: ROUND_ACTIONS, description: "The operator's action." },
    round_id: wholeFrom(1, 'The round.'),
    reason: { type: 'string', description: "The operator's reason." },
  },
  HEARTBEAT: {},
};

/** Absent while answers are sealed, and in events before the log. */
const OPTIONAL = ['probabilities', 'price', 'checkpoint'];

export function eventSchemas(): Readonly<Record<string, unknown>> {
  const schemas = SENT_KINDS.map((kind) => [schemaName(kind), eventSchema(kind)] as const);
  const mapping = Object.fromEntries(SENT_KINDS.map((kind) => [kind, component('schemas', schemaName(kind)).$ref]));
  return {
    Event: {
      description: 'An event. `seq` has no gaps: a client that stores the last one misses nothing.',
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: 'kind', mapping },
    },
    ...Object.fromEntries(schemas),
  };
}

function schemaName(kind: SentKind): string {
  return `${pascalCased(kind.toLowerCase())}Event`;
}

export const AT: JsonSchema = { ...INSTANT, description: "When it happened, by the service's clock." };

export function positionOf(kind: SentKind | 'EVENTS_LOST') {
  const isLogged = kind !== 'HEARTBEAT';
  const isRound = isLogged && !['STANDING_LAPSED', 'WEBHOOK_DISABLED', 'EVENTS_LOST'].includes(kind);
  return {
    seq: wholeFrom(0, isLogged ? 'From 1, without gaps.' : 'The seq of the last event: the client resumes after it.'),
    round_id: isRound ? wholeFrom(1, 'The round that the event is about.') : { type: 'null', description: 'None.' },
  };
}

export function payloadOf(properties: Properties, description: string): JsonSchema {
  return { ...objectOf(properties, description), required: Object.keys(without(properties, OPTIONAL)) };
}

function eventSchema(kind: SentKind): JsonSchema {
  const { seq, round_id } = positionOf(kind);
  return objectOf({
    seq,
    kind: { type: 'string', const: kind, description: 'What happened.' },
    at: AT,
    round_id,
    payload: payloadOf(EVENT_PAYLOADS[kind], 'Details by kind.'),
  });
}

const EXAMPLE = `retry: 1000

event: HEARTBEAT
id: 29
data: {"seq":29,"kind":"HEARTBEAT","at":"2026-01-01T13:00:00.400Z","round_id":null,"payload":{}}

event: ROUND_RESOLVED
id: 30
data: {"seq":30,"kind":"ROUND_RESOLVED","at":"2026-01-01T13:00:01.000Z","round_id":6,"payload":{"outcome":"YES","resolution_value":1,"total_entries":5}}

`;

const DESCRIPTION = `Server-sent events without end. \`data\` of each message is one \`Event\` as JSON, \`id\` its seq, \`event\` its kind. A
heartbeat comes first, and every 15 seconds. A browser resumes by itself; others send the last seq in \`Last-Event-ID\`. Events are kept for 30 days.`;

export function eventStream(): Operation {
  const limit = 'currentRound';
  const seq: JsonSchema = { type: 'integer', minimum: 0 };
  return {
    operationId: 'streamEvents',
    summary: 'All events, live, from any point of the last 30 days on.',
    description: `${DESCRIPTION} Limit: ${inWords(limit)}, together with the current round.`,
    tags: ['Live'],
    security: [],
    parameters: [
      inQuery('after', 'The seq of the last event that was seen; 0 begins with the first. Unset: from now on.', seq),
      inQuery(
        'lastEventId',
        'Like `after`, and takes precedence over it, but not over the header: polyfills send it when they reconnect. Empty: none.',
        seq,
      ),
      inQuery('kinds', `Only these kinds, with commas and without spaces: ${EVENT_KINDS.join(', ')}.`, {
        type: 'string',
      }),
      inQuery('unnamed', 'True: messages have no event name, so that a browser passes each to `onmessage`.', {
        type: 'boolean',
        default: false,
      }),
      {
        ...inQuery(
          'Last-Event-ID',
          'Like `after`, and takes precedence over it: browsers send it when they reconnect.',
          seq,
        ),
        in: 'header',
      },
    ],
    responses: {
      200: {
        description: 'The stream.',
        headers: headers(...LIMITED),
        content: { 'text/event-stream': { schema: { type: 'string' }, example: EXAMPLE } },
      },
      ...refusals(STREAM_REFUSALS, { limit, endpoint: 'GET /api/events' }),
    },
    'x-rate-limit': rateLimit(limit),
  };
}

export const EVENT_WEBHOOK: PathItem = {
  post: {
    operationId: 'receiveEvent',
    summary: 'The `data` of each message of `GET /api/events`.',
    description: 'The stream sends this; a webhook receives a `message`.',
    tags: ['Live'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: component('schemas', 'Event') } } },
    responses: { 200: { description: 'The stream expects no answer.' } },
  },
};
