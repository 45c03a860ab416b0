import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { steadyMs } from '../clock.ts';
import type { Counted } from '../http/counted.ts';
import type { KeptAnswer, KeptAnswers } from '../http/kept-answers.ts';
import { rateLimitHeaders } from '../http/rate-limit-headers.ts';
import type { RequestWatch } from '../http/request-watch.ts';
import type { QuickListener } from '../http/server.ts';

interface QuickAnswersDeps {
  readonly kept: KeptAnswers;
  readonly watch: RequestWatch;
  readonly counted: Pick<Counted, 'spend'>;
  /** Headers that every answer carries, names and values in turns. */
  readonly headers: readonly string[];
}

/** As this service writes them. */
const ONE_WEAK_TAG = /^W\/"[^",]*"$/;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The answers that `kept` holds under a request's own address, with all that the router's answers carry: id, limits,
 * headers, ETag, log line, measures. Express, its routes and their helpers cost three times what sending the bytes does. A
 * request that spends more than its budget, or asks by an unusual condition, is left to the router.
 */
export function quickAnswers({ kept, watch, counted, headers }: QuickAnswersDeps): QuickListener {
  const send = async (
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
    found: KeptAnswer | Promise<KeptAnswer | null>,
  ): Promise<boolean> => {
    const began = steadyMs();
    const answer = found instanceof Promise ? await found : found;
    const quickRoute = answer?.quickRoute ?? null;
    const status = answer === null ? null : statusFor(request.headers, answer.etag);
    if (answer === null || quickRoute === null || status === null) return false;
    const { isWithin, allowance } = await counted.spend(request, quickRoute.limits);
    if (!isWithin) return false;
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
  return (request, response) => {
    const { method, url } = request;
    if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return null;
    const found = kept.current(url);
    return found === null ? null : send({ request, response }, found);
  };
}

/** 304 where the caller has these bytes; null where its condition takes more than comparing two texts. */
function statusFor(headers: IncomingHttpHeaders, etag: string): 200 | 304 | null {
  const known = headers['if-none-match'];
  if (known === undefined) return 200;
  if (headers['cache-control'] !== undefined || !ONE_WEAK_TAG.test(known)) return null;
  return known === etag ? 304 : 200;
}
