import { errorBody, STATUS_OF } from '../http/errors.ts';
import { BODY_BYTES, budgetSpent, LIMITS, type LimitName, windowWord } from '../limits.ts';
import type { JsonSchema } from '../rest/described.ts';
import { DomainError, type ErrorCode, refused } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { reasonLines } from './errors.ts';
import { component, type Components, type RateLimit, type Reference, type Response } from './openapi.ts';

const WHOLE: JsonSchema = { type: 'integer', minimum: 0 };

export const HEADERS: Components['headers'] = {
  'X-RateLimit-Limit': {
    description: 'Requests that the limit allows in a window; endpoints may share one.',
    schema: WHOLE,
  },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: WHOLE },
  'X-RateLimit-Reset': { description: 'Whole real seconds until the window ends.', schema: WHOLE },
  'Retry-After': { description: 'Whole real seconds to wait before the next try.', schema: WHOLE },
  'X-Request-Id': {
    description: 'The id of the request in the log: the one it was sent with, or a new one.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'A tag of this body: send it in `If-None-Match` to get 304 while the body is unchanged.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description:
      '`public, max-age`: may be cached that long; `immutable`: it never changes. `no-cache`: revalidate each time by the ETag. `no-store`: for this caller alone, must not be cached.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: 'The answer repeats that of an earlier request with the same `Idempotency-Key` and body.',
    schema: { type: 'string', const: 'true' },
  },
  'Hourcast-Leaf': {
    description: "The hash of the prediction's leaf in the log, in base64: keep it, and compare it with the receipt.",
    schema: { type: 'string' },
  },
};

export const LIMITED = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function headers(...names: readonly (keyof typeof HEADERS)[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, component('headers', name)]));
}

export const STREAM_REFUSALS: readonly ErrorCode[] = ['BAD_REQUEST', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];

type Kind = readonly [meaning: string, shown: DomainError];

const sharedKinds = (): Readonly<Record<Exclude<ErrorCode, 'RATE_LIMITED'>, Kind>> => ({
  BAD_REQUEST: ['The request is invalid.', refused('limit', 'a whole number from 1 to 100', 1000)],
  UNAUTHENTICATED: [
    'No key, or one that is not valid.',
    new DomainError(
      'missing_key',
      'This needs a valid API key: send the header "Authorization: Bearer pk_live_..." with the key that registration gave (got no key). POST /api/agents/register with {"name": "..."} gives one, shown once.',
    ),
  ],
  FORBIDDEN: [
    'The caller may not do this.',
    new DomainError(
      'foreign_origin',
      'Pages of the origin "https://elsewhere.example" may only read and predict here; the operator of this service can add the origin to CORS_ORIGINS.',
    ),
  ],
  NOT_FOUND: [
    'The requested thing does not exist, or does not exist yet.',
    new DomainError('unknown_round', 'There is no round 1000.'),
  ],
  CONFLICT: [
    'The request conflicts with an earlier one.',
    new DomainError(
      'already_predicted',
      'This agent has already predicted in round 4; one prediction per agent and round.',
    ),
  ],
  UNAVAILABLE: [
    'The service cannot answer at present.',
    new DomainError('database_unavailable', 'The database is out of reach at present; try again shortly.', {
      retryAfter: 1,
    }),
  ],
  INTERNAL: [
    'A fault of the service; the request id leads to its log line.',
    new DomainError('internal', 'Internal server error.'),
  ],
});

const WAITED_FOR: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'NOT_FOUND', 'UNAVAILABLE']);

/** Shared refusals by code; each operation has its own 429, which names the budget. */
export function sharedResponses(): Components['responses'] {
  const tooLarge = `The body is too large: at most ${BODY_BYTES / 1024} KiB are read.`;
  const kinds = Object.values(sharedKinds()).map(([meaning, shown]) => {
    const names = WAITED_FOR.has(shown.code) ? (['Retry-After'] as const) : [];
    return [shown.code, refusal(shown, `${meaning}\n\n${reasonLines(shown.code)}`, names)];
  });
  return {
    ...Object.fromEntries(kinds),
    TOO_LARGE: refusal(
      new DomainError('body_too_large', tooLarge),
      `The body is larger than ${BODY_BYTES / 1024} KiB.`,
    ),
    NOT_MODIFIED: {
      description: 'The body is unchanged since the ETag in `If-None-Match`.',
      headers: headers(...LIMITED, 'ETag', 'Cache-Control'),
    },
  };
}

function refusal(shown: DomainError, description: string, names: readonly (keyof typeof HEADERS)[] = []): Response {
  return {
    description,
    headers: headers(...LIMITED, ...names),
    content: { 'application/json': { schema: component('schemas', 'Error'), example: errorBody(shown) } },
  };
}

export function refusals(
  codes: readonly ErrorCode[],
  { limit, endpoint }: { readonly limit: LimitName; readonly endpoint: string },
): Readonly<Record<string, Response | Reference>> {
  return Object.fromEntries(
    codes.map((code) => [
      STATUS_OF[code],
      code === 'RATE_LIMITED' ? tooMany(limit, endpoint) : component('responses', code),
    ]),
  );
}

const SHOWN_WAIT = 42;

function tooMany(limit: LimitName, endpoint: string): Response {
  const shown = budgetSpent(limit, { endpoint, retryAfter: SHOWN_WAIT });
  return refusal(shown, `More than ${inWords(limit)}. \`Retry-After\` has the seconds until the window ends.`, [
    'Retry-After',
  ]);
}

export function inWords(name: LimitName): string {
  const { requests, scope } = LIMITS[name];
  return `${requests} requests per ${windowWord(name)} and ${scope === 'ip' ? 'address' : 'agent'}`;
}

export function rateLimit(name: LimitName): RateLimit {
  const { requests, windowMs, scope } = LIMITS[name];
  return { requests, window_seconds: windowMs / SECOND, scope };
}
