import { LIMITS, type LimitName } from '../limits.ts';
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

/** The data stays, but for corrections by operators, and another version of the service may show more of it. */
const LASTING: Headers = { 'Cache-Control': `public, max-age=${HOUR / SECOND}` };

/** What a row of THE TABLE says of its answers: of those that may be others soon, and of those that never will. */
export interface CacheHeaders {
  readonly forNow: Headers;
  readonly immutable: Headers;
}

/** What caches on the way may do with a row's answers, by whose limit it counts against. */
export function cacheHeaders({ method, limit }: { method: string; limit: LimitName }): CacheHeaders {
  if (method !== 'GET') return always(FOR_NO_CACHE);
  return LIMITS[limit].scope === 'agent' ? always(FOR_ITS_CALLER) : { forNow: ASKED_AGAIN, immutable: LASTING };
}

function always(headers: Headers): CacheHeaders {
  return { forNow: headers, immutable: headers };
}
