import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { steadyMs } from '../clock.ts';
import { type TimeBudget, timeBudget } from '../deadline.ts';
import { ANSWER_MS } from '../limits.ts';
import { asRequest } from '../request-id.ts';
import { hasEtag } from './cache-headers.ts';
import type { RequestLog } from './request-log.ts';

/** A request as Node hands it over, and where its answer goes. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** An answer before it is sent. */
export interface Answer {
  readonly status: number;
  /** Beside those of every answer, and those of its body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** How the characters of a text become bytes; UTF-8 unless given. */
  readonly encoding?: 'utf8' | 'latin1';
  /** JSON unless given. */
  readonly contentType?: string;
  /** Unset: that of the body, where it may have one. */
  readonly etag?: string;
}

/** Answers requests for some paths; null: the request is for somebody else. */
export type Handler = (exchange: Exchange) => Promise<void> | null;

/** Does what waits for the database, by the caller's deadline, and what logs, with the request's id. */
export type InTime = <T>(work: () => T) => T;

/**
 * Answers a request by what `work` returns, which must not throw. `route` is the path's pattern, for log and measures. An answer that
 * is ready needs no `inTime`, which takes as long as finding it.
 */
export type Respond = (
  exchange: Exchange,
  route: string,
  work: (inTime: InTime) => Answer | Promise<Answer>,
) => Promise<void>;

interface RespondDeps {
  readonly watch: Pick<RequestLog, 'idOf' | 'noteWritten'>;
  /** Headers that every answer carries, names and values in turns. */
  readonly headers: readonly string[];
  readonly etagOf: (body: string | Buffer, encoding?: 'utf8' | 'latin1') => string;
}

/** As Express writes it. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends answers to requests that Express does not see, and notes them as it does: id, log line, measures. Status 499 is
 * noted where nobody waits any more.
 */
export function openRespond({ watch, headers: always, etagOf }: RespondDeps): Respond {
  return async ({ request, response }, route, work) => {
    const began = steadyMs();
    const id = watch.idOf(request);
    let budget: TimeBudget | undefined;
    const answer = await work((waiting) => asRequest(id, () => (budget ??= timeBudget(ANSWER_MS)).run(waiting)));
    const { etag = hasEtag(answer.headers) ? etagOf(answer.body, answer.encoding) : null } = answer;
    const status = isHeld(request, answer, etag) ? 304 : answer.status;
    if (response.destroyed) {
      watch.noteWritten({ request, response }, { id, route, status: 499, began });
      return;
    }
    // Null without this body, the caller has it.
    const body = status === 304 ? null : answer.body;
    response.writeHead(status, headOf([...always, 'X-Request-Id', id], answer, { etag, body }));
    if (body === null || request.method === 'HEAD') response.end();
    else if (typeof body === 'string') response.end(body, answer.encoding ?? 'utf8');
    else response.end(body);
    watch.noteWritten({ request, response }, { id, route, status, began });
  };
}

/** One array of headers, which is cheaper than to set them one by one. */
function headOf(
  head: string[],
  { headers, encoding, contentType = JSON_TYPE }: Answer,
  { etag, body }: { readonly etag: string | null; readonly body: Answer['body'] | null },
): string[] {
  if (etag !== null) head.push('ETag', etag);
  for (const [name, value] of Object.entries(headers)) head.push(name, value);
  if (body === null) return head;
  const length = typeof body === 'string' ? Buffer.byteLength(body, encoding) : body.length;
  head.push('Content-Type', contentType, 'Content-Length', String(length));
  return head;
}

/** Whether the caller has said that it holds these bytes. */
function isHeld({ method, headers }: IncomingMessage, { status }: Answer, etag: string | null): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && status === 200 && etag !== null && headers['if-none-match'] !== undefined && isNamed(headers, etag);
}

/** As RFC 9110 compares weakly; who says `no-cache` wants the bytes. */
function isNamed(
  { 'if-none-match': named = '', 'cache-control': caching = '' }: IncomingHttpHeaders,
  etag: string,
): boolean {
  if (/(?:^|,)\s*no-cache\s*(?:,|$)/.test(caching)) return false;
  if (named === etag || named === '*') return true;
  return named.split(',').some((one) => opaque(one.trim()) === opaque(etag));
}

function opaque(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

/** The path of a request's target, which may be a whole address. */
export function pathOf({ url = '' }: IncomingMessage): string {
  if (!url.startsWith('/')) return URL.parse(url)?.pathname ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

/** Letters, digits and marks that need no encoding. */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;
/** A proxy that keeps these from strangers may know them by their own spelling alone. */
const FOR_OPERATORS = /^\/(?:livez|readyz|metrics|admin)/;

/** A request's target with a path in which no character is encoded that needs not be: it is the same path (RFC 3986, 6.2.2.2). */
export function plainTarget(url = ''): string {
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  const plain = path.replaceAll(UNRESERVED, decodeURIComponent);
  return plain === path || FOR_OPERATORS.test(plain) ? url : plain + url.slice(path.length);
}
