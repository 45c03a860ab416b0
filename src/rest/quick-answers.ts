import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import type { Allowance, Limiter } from '../backplane/backplane.ts';
import { steadyMs } from '../clock.ts';
import type { KeptAnswer, KeptAnswers } from '../http/kept-answers.ts';
import { rateLimitHeaders } from '../http/rate-limit-headers.ts';
import type { RequestWatch } from '../http/request-watch.ts';
import type { QuickListener } from '../http/server.ts';
import { addressKey } from '../rules/address-key.ts';

interface QuickAnswersDeps {
  readonly kept: KeptAnswers;
  readonly watch: RequestWatch;
  readonly limiter: Limiter;
  /** The address that a request counts against. */
  readonly ipOf: (request: IncomingMessage) => string;
  /** Headers that every answer carries, names and values in turns. */
  readonly headers: readonly string[];
}

/** Sends kept answers before Express sees the request. */
export interface QuickAnswers {
  readonly listener: QuickListener;
  /** What is left of the budget that a request was counted against before it was left to the router; undefined: it was not. */
  readonly countedOf: (request: IncomingMessage) => Allowance | undefined;
}

/** As this service writes them. */
const ONE_WEAK_TAG = /^W\/"[^",]*"$/;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The answers that `kept` holds under a request's own address, with all that the router's answers carry: id, limits,
 * headers, ETag, log line, measures. Express, its routes and their helpers cost three times what sending the bytes does. A
 * request that spends more than its budget, or asks by an unusual condition, is left to the router.
 */
export function quickAnswers({ kept, watch, limiter, ipOf, headers }: QuickAnswersDeps): QuickAnswers {
  const counted = new WeakMap<IncomingMessage, Allowance>();
  const send = async (
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
    found: KeptAnswer | Promise<KeptAnswer | null>,
  ): Promise<boolean> => {
    const began = steadyMs();
    const answer = found instanceof Promise ? await found : found;
    const quickRoute = answer?.quickRoute ?? null;
    const status = answer === null ? null : statusFor(request.headers, answer.etag);
    if (answer === null || quickRoute === null || status === null) return false;
    const allowance = await limiter.count(quickRoute.limit, `ip:${addressKey(ipOf(request))}`);
    if (allowance !== null && allowance.retryAfterSeconds !== null) {
      counted.set(request, allowance);
      return false;
    }
    const id = watch.idOf(request);
    const head = [...headers, 'X-Request-Id', id, 'ETag', answer.etag];
    if (allowance !== null) head.push(...Object.entries(rateLimitHeaders(allowance)).flat());
    if (status === 200) head.push('Content-Type', JSON_TYPE, 'Content-Length', String(answer.bytes.length));
    response.writeHead(status, head);
    if (status === 304 || request.method === 'HEAD') response.end();
    else if (answer.text === null) response.end(answer.bytes);
    else response.end(answer.text, 'latin1');
    watch.noteWritten({ request, response }, { id, route: quickRoute.route, status, began });
    return true;
  };
  return {
    listener(request, response) {
      const { method, url } = request;
      if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return null;
      const found = kept.current(url);
      return found === null ? null : send({ request, response }, found);
    },
    countedOf: (request) => counted.get(request),
  };
}

/** 304 where the caller has these bytes; null where its condition takes more than comparing two texts. */
function statusFor(headers: IncomingHttpHeaders, etag: string): 200 | 304 | null {
  const known = headers['if-none-match'];
  if (known === undefined) return 200;
  if (headers['cache-control'] !== undefined || !ONE_WEAK_TAG.test(known)) return null;
  return known === etag ? 304 : 200;
}
