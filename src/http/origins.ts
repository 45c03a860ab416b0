import type { IncomingMessage } from 'node:http';

import type { Request, RequestHandler } from 'express';

import { SECURITY_HEADERS } from './security-headers.ts';

interface OriginOptions {
  readonly allowed: readonly string[];
  readonly isProxy: (address: string) => boolean;
}

/** The `Origin` of a request that may not create or change; undefined for programs, own pages and allowed origins. */
export type ForeignOrigin = (request: IncomingMessage) => string | undefined;

const LONGEST_SHOWN = 100;

export function foreignOrigins({ allowed, isProxy }: OriginOptions): ForeignOrigin {
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined || allowed.includes(origin)) return undefined;
    return isOwn(origin, request, isProxy) ? undefined : origin.slice(0, LONGEST_SHOWN);
  };
}

/** The origin at which the caller reached the service, as a trusted proxy announces it. */
export function originOf({ protocol, host }: Pick<Request, 'protocol' | 'host'>): string {
  return `${protocol}://${host}`;
}

/** A proxy announces itself. The fact may be trusted, the announced address must not. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'].some((name) => headers[name] !== undefined);
}

function isOwn(origin: string, request: IncomingMessage, isProxy: OriginOptions['isProxy']): boolean {
  const behindProxy = isProxy(request.socket.remoteAddress ?? '');
  const forwarded = (name: string) => (behindProxy ? firstOf(request.headers[name]) : undefined);
  const host = forwarded('x-forwarded-host') ?? request.headers.host;
  const page = URL.parse(origin);
  if (page === null || host === undefined) return false;
  const scheme = forwarded('x-forwarded-proto');
  if (scheme !== undefined && `${scheme}:` !== page.protocol) return false;
  return URL.parse(`${page.protocol}//${host}`)?.host === page.host;
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  return text?.split(',', 1)[0]?.trim();
}

const FOR_ANYBODY = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, X-Request-Id, Idempotent-Replayed, Hourcast-Leaf, Deprecation, Sunset, Link',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const FOR_PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id, Apollo-Require-Preflight, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '7200',
};

const FOR_PROGRAMS =
  /^\/(api(\/|$)|graphql\/?$|mcp$|openapi\.json$|llms(-full)?\.txt$|docs\/[^/]+\.md$|\.well-known\/|log\/|feeds\/)/;

/**
 * Headers of every answer under `/api/`, names and values alternating. A 304 has those that are checked for each response;
 * the others stay as stored with the answer that it confirms (RFC 9111, section 4.3.4).
 */
export const PUBLIC_HEADERS = {
  full: Object.entries({ ...SECURITY_HEADERS, ...FOR_ANYBODY }).flat(),
  unchanged: Object.entries(FOR_ANYBODY).flat(),
};

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Lets every origin read; browsers send no credentials, since there are no cookies. Changes and `/mcp` check the origin themselves. */
export function openToAllOrigins(): RequestHandler {
  return (request, response, next) => {
    if (!FOR_PROGRAMS.test(request.path)) {
      next();
      return;
    }
    response.set(FOR_ANYBODY);
    if (isPreflight(request)) response.set(FOR_PREFLIGHT).status(204).end();
    else next();
  };
}
