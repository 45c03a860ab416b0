import { HEAD_PATH, MAX_SEGMENT, SEGMENT_EVENTS, SEGMENT_PATH } from '../feed/segments.ts';
import { type JsonSchema, nullable, objectOf, wholeFrom } from '../rest/described.ts';
import type { ErrorCode } from '../rules/errors.ts';
import { component, type Content, inQuery, type Operation, type PathItem } from './openapi.ts';
import { headers, inWords, LIMITED, rateLimit, refusals, STREAM_REFUSALS } from './responses.ts';

const NUMBER: JsonSchema = { type: 'integer', minimum: 1, maximum: MAX_SEGMENT };
const EPOCH = wholeFrom(
  1,
  'The epoch of the log: 1 until a restore begins a greater one, in seconds since 2026. The head has it.',
);
const EVENTS: JsonSchema = {
  type: 'array',
  items: component('schemas', 'Event'),
  description: 'Its events, in order.',
};

const HEAD = objectOf({
  epoch: EPOCH,
  last_seq: wholeFrom(0, 'The newest event; 0 before the first.'),
  oldest_seq: wholeFrom(1, 'The oldest stored event; 1 more than `last_seq` if none is stored.'),
  first_segment: nullable(wholeFrom(1, 'The first whole segment that is stored, or null.')),
  last_segment: nullable(wholeFrom(1, 'The last whole segment, or null if none is stored.')),
  segment_path: { type: 'string', description: 'The address of each segment, with `{n}` for its number.' },
  events: { ...EVENTS, description: 'The events after the last whole segment.' },
});

const SEGMENT = objectOf({
  epoch: EPOCH,
  segment: wholeFrom(1, 'Its number.'),
  next_segment: wholeFrom(1, 'The segment of the next event: a restore leaves out a million numbers or more.'),
  events: EVENTS,
});

const EVENT = { seq: 1999, kind: 'WEBHOOK_DISABLED', at: '2026-01-01T13:00:01.000Z', round_id: null, payload: {} };
const BOUNDS = { epoch: 1, last_seq: 1999, oldest_seq: 1, first_segment: 1, last_segment: 1 };

export function segmentPaths(): Readonly<Record<string, PathItem>> {
  const head = {
    operationId: 'getEventHead',
    summary: 'The newest events, and which segments hold those before.',
    description: 'It may be cached for a second. With the segments it has all events from `first_segment` on.',
  };
  const segment = {
    operationId: 'getEventSegment',
    summary: `${SEGMENT_EVENTS} events, for readers that are far behind.`,
    description: `Segment n has the events from (n - 1) * ${SEGMENT_EVENTS} + 1 to n * ${SEGMENT_EVENTS}. At the address with its epoch it never changes, and may be cached for a year.`,
    parameters: [
      { ...inQuery('n', 'Its number.', NUMBER), in: 'path', required: true, example: 2 },
      { ...inQuery('epoch', 'The epoch that the log must have. Unset: any, cached for a second.', EPOCH), example: 1 },
    ],
  } as const;
  const headExample = { ...BOUNDS, segment_path: `${SEGMENT_PATH}?epoch=1`, events: [EVENT] };
  const segmentExample = { epoch: 1, segment: 2, next_segment: 3, events: [EVENT] };
  return {
    [HEAD_PATH]: { get: operationOf(HEAD_PATH, head, { schema: HEAD, example: headExample }) },
    [SEGMENT_PATH]: { get: operationOf(SEGMENT_PATH, segment, { schema: SEGMENT, example: segmentExample }) },
  };
}

type OperationHead = Pick<Operation, 'operationId' | 'summary' | 'description' | 'parameters'>;

function operationOf(path: string, named: OperationHead, answer: Content[string]): Operation {
  const limit = 'eventLog';
  const described = { description: named.summary, headers: headers(...LIMITED, 'ETag', 'Cache-Control') };
  const refused: ErrorCode[] = named.parameters === undefined ? [] : ['NOT_FOUND'];
  return {
    ...named,
    description: `${named.description} Limit: ${inWords(limit)}, together for head and segments.`,
    tags: ['Live'],
    security: [],
    responses: {
      200: { ...described, content: { 'application/json': answer } },
      304: component('responses', 'NOT_MODIFIED'),
      ...refusals([...STREAM_REFUSALS, ...refused], { limit, endpoint: `GET ${path}` }),
    },
    'x-rate-limit': rateLimit(limit),
  };
}
