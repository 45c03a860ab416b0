import { STATUS_OF } from '../http/errors.ts';
import { BODY_BYTES, LIMITS, type LimitName } from '../limits.ts';
import type { Described } from '../rest/described.ts';
import { type ErrorCode, REASONS } from '../rules/errors.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';
import { component, type Components, type RateLimit, type Reference, type Response } from './openapi.ts';

const WHOLE: Described = { type: 'integer', minimum: 0 };
const SENTENCE: Described = { type: 'string', description: 'One sentence: what must hold, and what was given.' };
const CODE: Described = {
  type: 'string',
  enum: REASONS,
  description: 'What exactly went wrong, for programs; a code keeps its meaning, and new ones come.',
};
const PARAM: Described = { type: 'string', description: 'The parameter, header or field that is refused.' };
const REFUSED = ['param', 'code', 'error'];

/** The body of every refusal (spec section 7). */
export const ERROR: Described = {
  type: 'object',
  description: 'Why a request was refused.',
  properties: {
    error: SENTENCE,
    code: CODE,
    param: PARAM,
    errors: {
      type: 'array',
      description: 'Every parameter or field that is refused; the first is what the error itself says.',
      items: { type: 'object', properties: { param: PARAM, code: CODE, error: SENTENCE }, required: REFUSED },
    },
    endpoint: { type: 'string', description: 'Of a spent budget: whose it is.' },
    limit: { ...WHOLE, description: 'Of a spent budget: how many requests a window takes.' },
    window_seconds: { ...WHOLE, description: 'Of a spent budget: how long a window is.' },
    retry_after: { ...WHOLE, description: 'Whole real seconds after which a new try makes sense, as `Retry-After`.' },
  },
  required: ['error', 'code'],
};

/** Headers of answers, by name. */
export const HEADERS: Components['headers'] = {
  'X-RateLimit-Limit': { description: 'Requests that the budget allows in its window.', schema: WHOLE },
  'X-RateLimit-Remaining': { description: 'Requests that are left of the window.', schema: WHOLE },
  'X-RateLimit-Reset': { description: 'Whole real seconds until the window ends.', schema: WHOLE },
  'Retry-After': { description: 'Whole real seconds after which a new try makes sense.', schema: WHOLE },
  'X-Request-Id': {
    description: 'The id of the request in the log: the one it was sent with, or a new one.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Stands for these bytes: send it in `If-None-Match` to get 304 while they are the same.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'The answer is that of an earlier request with the same `Idempotency-Key` and body.',
    schema: { type: 'string', const: 'true' },
  },
};

export const LIMITED = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function headers(...names: readonly (keyof typeof HEADERS)[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, component('headers', name)]));
}

/** What each code means to a caller, whatever it asks. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'A parameter or the body is not what it must be; the sentence names it.',
  UNAUTHENTICATED: 'No key, or one that is not valid (any more).',
  FORBIDDEN: 'A spectator cannot predict; a page of another origin can neither register nor change an agent.',
  NOT_FOUND: 'There is no such thing, or not yet.',
  CONFLICT:
    'The name is taken, the agent has answered the round already, or the idempotency key came with another body.',
  RATE_LIMITED: 'The budget is used up; `Retry-After` says until when.',
  UNAVAILABLE: 'The database, or the market, is out of reach at present; `Retry-After` says when to try again.',
  INTERNAL: 'A fault of the service. The request id leads to its log line.',
};

const TOO_LARGE = 'The body is larger than 16 KiB.';

/** The refusals that operations share, as components by code; 429 names its budget and stands with each operation. */
export function sharedResponses(): Components['responses'] {
  const codes = Object.entries(MEANINGS).filter(([code]) => code !== 'RATE_LIMITED');
  return Object.fromEntries([
    ...codes.map(([code, description]) => [code, refusal(description, code === 'UNAVAILABLE' ? ['Retry-After'] : [])]),
    ['TOO_LARGE', refusal(`${TOO_LARGE} At most ${BODY_BYTES / 1024} KiB are read.`, [])],
    [
      'NOT_MODIFIED',
      { description: 'The bytes behind the ETag of `If-None-Match` still hold.', headers: headers(...LIMITED, 'ETag') },
    ],
  ]);
}

function refusal(description: string, names: readonly (keyof typeof HEADERS)[]): Response {
  return {
    description,
    headers: headers(...LIMITED, ...names),
    content: { 'application/json': { schema: component('schemas', 'Error') } },
  };
}

/** The refusals of an operation by status. */
export function refusals(
  codes: readonly ErrorCode[],
  limit: LimitName,
): Readonly<Record<string, Response | Reference>> {
  return Object.fromEntries(
    codes.map((code) => [STATUS_OF[code], code === 'RATE_LIMITED' ? tooMany(limit) : component('responses', code)]),
  );
}

function tooMany(limit: LimitName): Response {
  return refusal(`More than ${inWords(limit)}. \`Retry-After\` says when the window ends.`, ['Retry-After']);
}

/** Such as "120 requests per minute and address". */
export function inWords(name: LimitName): string {
  const { requests, windowMs, scope } = LIMITS[name];
  const window = windowMs === MINUTE ? 'minute' : 'hour';
  return `${requests} requests per ${window} and ${scope === 'ip' ? 'address' : 'agent'}`;
}

export function rateLimit(name: LimitName): RateLimit {
  const { requests, windowMs, scope } = LIMITS[name];
  return { requests, window_seconds: windowMs / SECOND, scope };
}
