import express, { type Express } from 'express';

import { HOUR, SECOND } from '../rules/hours.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * An answer that is for its caller alone, as every refusal is. Caches that do not look at `Authorization`, as nginx does not,
 * keep none of it; those that are told to keep everything still tell callers apart by it.
 */
export const FOR_ITS_CALLER: Headers = { 'Cache-Control': 'private, no-store', Vary: 'Authorization' };

/** What is done or written once: the answer to what changes something, which may hold a key, or a stream. */
export const FOR_NO_CACHE: Headers = { 'Cache-Control': 'no-store' };

/** The same for everybody, and asked for again each time: by its ETag it costs nothing while it is the same. */
const ASKED_AGAIN: Headers = { 'Cache-Control': 'no-cache' };

/** The same, but for the address of the service that stands in it, as its proxy says. */
export const FOR_ITS_HOST: Headers = { ...ASKED_AGAIN, Vary: 'X-Forwarded-Host, X-Forwarded-Proto' };

/** The data stays, but for corrections by operators, and another version of the service may show more of it. */
const LASTING: Headers = { 'Cache-Control': `public, max-age=${HOUR / SECOND}` };

/** What a row of THE TABLE says of its answers: of those that may be others soon, and of those that never will. */
export interface CacheHeaders {
  readonly forNow: Headers;
  readonly immutable: Headers;
}

/** What caches on the way may do with a row's answers; `isOfCaller`: its document selects something of who asks. */
export function cacheHeaders({ method }: { method: string }, isOfCaller: boolean): CacheHeaders {
  if (method !== 'GET') return always(FOR_NO_CACHE);
  return isOfCaller ? always(FOR_ITS_CALLER) : { forNow: ASKED_AGAIN, immutable: LASTING };
}

function always(headers: Headers): CacheHeaders {
  return { forNow: headers, immutable: headers };
}

/** Whether an answer has an ETag: of one that may hold a secret it would only help to ask for that again. */
export function hasEtag(headers: Headers): boolean {
  return headers['Cache-Control'] !== FOR_NO_CACHE['Cache-Control'];
}

/** The same rule for Express: all that stands below `path` may hold a secret. */
export function appForNoCache(path: string): Express {
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing');
  return app.use(path, (_request, response, next) => {
    response.set(FOR_NO_CACHE);
    next();
  });
}
