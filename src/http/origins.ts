import type { IncomingMessage } from 'node:http';

import type { RequestHandler } from 'express';

import { SECURITY_HEADERS } from './security-headers.ts';

interface OriginOptions {
  /** Origins beside the service's own whose pages may create and change, such as `https://arena.example`. */
  readonly allowed: readonly string[];
  /** Whether the hop next to the service, by its address, is a proxy whose `X-Forwarded-...` headers count. */
  readonly isProxy: (address: string) => boolean;
}

/** The `Origin` of a request that may not create or change; undefined for programs, the service's own pages, and those allowed. */
export type ForeignOrigin = (request: IncomingMessage) => string | undefined;

const LONGEST_SHOWN = 100;

export function foreignOrigins({ allowed, isProxy }: OriginOptions): ForeignOrigin {
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined || allowed.includes(origin)) return undefined;
    return isOwn(origin, request, isProxy) ? undefined : origin.slice(0, LONGEST_SHOWN);
  };
}

/** Whether a proxy says that it passes a request on; who does not may be believed, unlike what it says. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'].some((name) => headers[name] !== undefined);
}

/** Whether a page comes from where its request goes to, as the outermost trusted proxy saw it. */
function isOwn(origin: string, request: IncomingMessage, isProxy: OriginOptions['isProxy']): boolean {
  const behindProxy = isProxy(request.socket.remoteAddress ?? '');
  const forwarded = (name: string) => (behindProxy ? firstOf(request.headers[name]) : undefined);
  const host = forwarded('x-forwarded-host') ?? request.headers.host;
  const page = URL.parse(origin);
  if (page === null || host === undefined) return false;
  const scheme = forwarded('x-forwarded-proto');
  if (scheme !== undefined && `${scheme}:` !== page.protocol) return false;
  // A port that the scheme implies may be written out or not.
  return URL.parse(`${page.protocol}//${host}`)?.host === page.host;
}

function firstOf(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  return text?.split(',', 1)[0]?.trim();
}

const FOR_ANYBODY = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, X-Request-Id, Idempotent-Replayed',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const FOR_PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id, Apollo-Require-Preflight, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name',
  'Access-Control-Max-Age': '7200',
};

const FOR_PROGRAMS =
  /^\/(api(\/|$)|graphql\/?$|mcp$|openapi\.json$|llms(-full)?\.txt$|docs\/[^/]+\.md$|\.well-known\/)/;

/** What every answer under `/api/` carries, names and values in turns: some of it replaces what is usual. */
export function publicHeaders(): readonly string[] {
  return Object.entries({ ...SECURITY_HEADERS, ...FOR_ANYBODY }).flat();
}

/** Whether a browser asks what a page may do. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * Lets pages of every origin read what is for programs: the endpoints and `/graphql`, what `/mcp` tells them, the reference and the
 * guides. Nothing is sent by itself, since there are no cookies; who may create and change, and who may use `/mcp`, is decided
 * where that is done.
 */
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
