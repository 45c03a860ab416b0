import express, { type Express } from 'express';

import { HOUR, SECOND } from '../rules/hours.ts';

type Headers = Readonly<Record<string, string>>;

/** Some caches, such as nginx, ignore `Authorization` but obey `private, no-store`. `Vary` is for caches that store anyway. */
export const FOR_ITS_CALLER: Headers = { 'Cache-Control': 'private, no-store', Vary: 'Authorization' };

export const NO_STORE: Headers = { 'Cache-Control': 'no-store' };

/** Public, but revalidated each time; the ETag makes that cheap. */
export const REVALIDATED: Headers = { 'Cache-Control': 'no-cache' };

/** The answer contains the service's address, as its proxy names it. */
export const FOR_ITS_HOST: Headers = { ...REVALIDATED, Vary: 'X-Forwarded-Host, X-Forwarded-Proto' };

/** The data is final except for corrections by operators; a newer version of the service may show more of it. */
const LASTING: Headers = { 'Cache-Control': `public, max-age=${HOUR / SECOND}` };

/** The bytes at the address never change. */
export const FOR_EVER: Headers = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Any cache in front answers all callers of one second. */
export const FOR_A_SECOND: Headers = { 'Cache-Control': 'public, max-age=1' };

export interface CacheHeaders {
  readonly forNow: Headers;
  readonly immutable: Headers;
}

export function cacheHeaders({ method }: { method: string }, isOfCaller: boolean): CacheHeaders {
  if (method !== 'GET') return always(NO_STORE);
  return isOfCaller ? always(FOR_ITS_CALLER) : { forNow: REVALIDATED, immutable: LASTING };
}

function always(headers: Headers): CacheHeaders {
  return { forNow: headers, immutable: headers };
}

/** Answers that may hold a secret have no ETag: it would only help to fetch the secret again. */
export function hasEtag(headers: Headers): boolean {
  return headers['Cache-Control'] !== NO_STORE['Cache-Control'];
}

export function noStoreApp(path: string): Express {
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing');
  return app.use(path, (_request, response, next) => {
    response.set(NO_STORE);
    next();
  });
}
