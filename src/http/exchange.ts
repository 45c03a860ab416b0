import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { steadyMs } from '../clock.ts';
import { type TimeBudget, timeBudget } from '../deadline.ts';
import { ANSWER_MS } from '../limits.ts';
import { hasEtag } from './cache-headers.ts';
import { bytesOf, compressed, type Encoding, encodingFor, LEAST_COMPRESSED, LEVELS } from './compression.ts';
import type { RequestLog } from './request-log.ts';
import { endInPieces, PIECE_BYTES } from './unread-answers.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly encoding?: 'utf8' | 'latin1';
  readonly contentType?: string;
  readonly etag?: string;
  /** The body's compressed bytes, if they are cached with it. */
  readonly compressedIn?: ((encoding: Encoding) => Promise<Buffer>) | undefined;
}

/** Returns null for requests of other handlers. */
export type Handler = (exchange: Exchange) => SendResult | null;

/** `sent`: the answer was written synchronously. This avoids a promise for cached answers. */
export type SendResult = 'sent' | Promise<unknown>;

export type RunInTime = <T>(work: () => T) => T;

/** `work` must not throw. `route` is the path's pattern. Ready answers should not call `inTime`: it costs as much as finding them. */
export type Respond = (
  exchange: Exchange,
  route: string,
  work: (inTime: RunInTime) => Answer | Promise<Answer>,
) => SendResult;

interface RespondDeps {
  readonly requests: Pick<RequestLog, 'idOf' | 'noteWritten'>;
  readonly headers: Readonly<Record<'full' | 'unchanged', readonly string[]>>;
  readonly etagOf: (body: string | Buffer, encoding?: 'utf8' | 'latin1') => string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function openRespond({ requests, headers: always, etagOf }: RespondDeps): Respond {
  return ({ request, response }, route, work) => {
    const began = steadyMs();
    const id = requests.idOf(request);
    let budget: TimeBudget | undefined;
    const send = (answer: Answer): SendResult => {
      const { etag = hasEtag(answer.headers) ? etagOf(answer.body, answer.encoding) : null } = answer;
      const status = isCachedByCaller(request, answer, etag) ? 304 : answer.status;
      const encoding = answer.body.length < LEAST_COMPRESSED ? 'identity' : encodingFor(request);
      const write = (body: string | Buffer | null): SendResult => {
        if (response.destroyed) {
          requests.noteWritten({ request, response }, { id, route, status: 499, began });
          return 'sent';
        }
        const length = body === null ? null : Buffer.byteLength(body, answer.encoding);
        const head = [...(body === null ? always.unchanged : always.full), 'X-Request-Id', id];
        if (encoding !== 'identity') head.push('Vary', 'Accept-Encoding');
        if (encoding !== 'identity' && body !== null) head.push('Content-Encoding', encoding);
        response.writeHead(status, headOf(head, answer, { etag, length }));
        if (body === null || request.method === 'HEAD') response.end();
        else if (body.length > PIECE_BYTES) endInPieces(response, bytesOf(body, answer.encoding));
        // Text of one byte a character is ASCII, or Latin-1 already; Node writes that faster.
        else if (typeof body === 'string') response.end(body, length === body.length ? 'latin1' : 'utf8');
        else response.end(body);
        requests.noteWritten({ request, response }, { id, route, status, began });
        return 'sent';
      };
      if (status === 304) return write(null);
      return encoding === 'identity' ? write(answer.body) : bodyIn(encoding, answer).then(write);
    };
    const answer = work((waiting) => (budget ??= timeBudget(ANSWER_MS, id)).run(waiting));
    return answer instanceof Promise ? answer.then(send) : send(answer);
  };
}

function bodyIn(encoding: Encoding, { body, encoding: characters, compressedIn }: Answer): Promise<Buffer> {
  if (compressedIn !== undefined) return compressedIn(encoding);
  return compressed(bytesOf(body, characters), encoding, LEVELS.once);
}

function headOf(
  head: string[],
  { headers, contentType = JSON_TYPE }: Answer,
  { etag, length }: { readonly etag: string | null; readonly length: number | null },
): string[] {
  if (etag !== null) head.push('ETag', etag);
  for (const [name, value] of Object.entries(headers)) head.push(name, value);
  if (length === null) return head;
  head.push('Content-Type', contentType, 'Content-Length', String(length));
  return head;
}

function isCachedByCaller({ method, headers }: IncomingMessage, { status }: Answer, etag: string | null): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && status === 200 && etag !== null && headers['if-none-match'] !== undefined && isNamed(headers, etag);
}

/** RFC 9110's weak comparison; `no-cache` in the request requires the full body. */
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

export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  if (!url.startsWith('/')) return URL.parse(url)?.pathname ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

/** Percent-encoded letters, digits and marks that need no encoding. */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;
/** Encoded spellings are not decoded for these: a proxy may block the literal ones alone. */
const FOR_OPERATORS = /^\/(?:livez|readyz|metrics|admin)/;

/** The target with unreserved characters decoded in its path: the same path by RFC 3986, 6.2.2.2. */
export function plainTarget(url = ''): string {
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  const plain = path.replaceAll(UNRESERVED, decodeURIComponent);
  return plain === path || FOR_OPERATORS.test(pathOf({ url: plain })) ? url : plain + url.slice(path.length);
}
