import type { IncomingMessage, ServerResponse } from 'node:http';

import type { KeptAnswer } from './kept-answers.ts';
import type { RequestWatch } from './request-watch.ts';
import { type Allowance, type Limiter, tighter } from '../backplane/backplane.ts';
import type { LimitName } from '../limits.ts';
import { addressKey } from '../rules/address-key.ts';

/** A request that Express has not seen, and where its answer goes. */
export interface QuickExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a log line and the measures say of a request beside its answer. */
export interface Watched {
  readonly id: string;
  /** The route's pattern. */
  readonly route: string;
  /** By the steady clock. */
  readonly began: number;
}

/** An answer before it is sent. */
export interface QuickAnswer {
  readonly status: number;
  /** Beside those of every answer, and those of its content. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: it has none. */
  readonly etag: string | null;
  /** Null: it has none, such as a 304. */
  readonly content: QuickContent | null;
}

export interface QuickContent {
  readonly type: string;
  readonly body: string | Buffer;
  /** How the characters of a text become bytes; UTF-8 unless given. */
  readonly encoding?: 'utf8' | 'latin1';
}

/** As Express writes it. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** What a kept answer holds. */
export function bodyOf({ text, bytes }: KeptAnswer): Omit<QuickContent, 'type'> {
  return text === null ? { body: bytes } : { body: text, encoding: 'latin1' };
}

export interface QuickSenderDeps {
  readonly watch: Pick<RequestWatch, 'noteWritten'>;
  /** Headers that every answer carries, names and values in turns. */
  readonly headers: readonly string[];
}

export type QuickSender = (exchange: QuickExchange, watched: Watched, answer: QuickAnswer) => void;

/**
 * Sends answers to requests that Express has not seen, and notes them as it does. One array of headers takes a third of what
 * setting them one by one does. Status 499 is noted where nobody waits any more.
 */
export function quickSender({ watch, headers: always }: QuickSenderDeps): QuickSender {
  return ({ request, response }, { id, route, began }, answer) => {
    if (!response.destroyed) write({ request, response }, headOf(always, id, answer), answer);
    const status = response.destroyed ? 499 : answer.status;
    watch.noteWritten({ request, response }, { id, route, status, began });
  };
}

function write({ request, response }: QuickExchange, head: string[], { status, content }: QuickAnswer): void {
  response.writeHead(status, head);
  if (content === null || request.method === 'HEAD') response.end();
  else if (typeof content.body === 'string') response.end(content.body, content.encoding ?? 'utf8');
  else response.end(content.body);
}

function headOf(always: readonly string[], id: string, { headers, etag, content }: QuickAnswer): string[] {
  const head = [...always, 'X-Request-Id', id];
  if (etag !== null) head.push('ETag', etag);
  for (const [name, value] of Object.entries(headers)) head.push(name, value);
  if (content === null) return head;
  const { type, body, encoding } = content;
  const length = typeof body === 'string' ? Buffer.byteLength(body, encoding ?? 'utf8') : body.length;
  head.push('Content-Type', type, 'Content-Length', String(length));
  return head;
}

const JSON_TYPES: readonly unknown[] = ['application/json', 'application/json; charset=utf-8'];

/** Whether a request says that its body is JSON in UTF-8, and nothing else about it. */
export function isPlainJson({ headers }: IncomingMessage): boolean {
  return JSON_TYPES.includes(headers['content-type']) && headers['content-encoding'] === undefined;
}

/**
 * The text of a request's body, which stays where it is for whoever comes next. Null unless all of it has arrived and is
 * within `maxBytes`: a body in one packet with its head is there once the listener has given way to the parser.
 */
export function bodyAtHand(request: IncomingMessage, maxBytes: number): string | null {
  const bytes = bytesAtHand(request, maxBytes);
  if (bytes !== null) request.unshift(bytes);
  return bytes && bytes.toString();
}

/** What `read` makes of the same text, and the body is taken; one that `read` returns null for stays where it is. */
export function takenBody<T>(request: IncomingMessage, maxBytes: number, read: (text: string) => T | null): T | null {
  const bytes = bytesAtHand(request, maxBytes);
  const found = bytes && read(bytes.toString());
  if (bytes !== null && found === null) request.unshift(bytes);
  return found;
}

function bytesAtHand(request: IncomingMessage, maxBytes: number): Buffer | null {
  const length = Number(request.headers['content-length']);
  if (!(length > 0 && length <= maxBytes && request.readableLength === length)) return null;
  const bytes: unknown = request.read();
  return bytes instanceof Buffer ? bytes : null;
}

/** What a text is as JSON; undefined for one that is none. */
export function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

interface CountedDeps {
  readonly limiter: Limiter;
  /** The address that a request counts against. */
  readonly ipOf: (request: IncomingMessage) => string;
}

/** A limit that is used once, or as often as is said. */
export type Used = LimitName | { readonly limit: LimitName; readonly uses: number };

/** Counts requests before anything is made for them; those that are refused are counted once all the same. */
export interface Counted {
  /** Spends budgets of the agent, or without one of the request's address, one after the other, until one is spent. */
  spend(request: IncomingMessage, limits: readonly Used[], agentId?: number): Promise<Spent>;
  /** For the context of a request: what was refused here before is handed out again, in its order, rather than counted anew. */
  limiterFor(request: IncomingMessage): Limiter;
}

interface Spent {
  readonly isWithin: boolean;
  /** Of these budgets the one with the least left; null where nothing is counted. */
  readonly allowance: Allowance | null;
}

const UNCOUNTED: Spent = { isWithin: true, allowance: null };

export function openCounted({ limiter, ipOf }: CountedDeps): Counted {
  const refused = new WeakMap<IncomingMessage, readonly Counting[]>();
  return {
    async spend(request, limits, agentId) {
      if (limiter.countsNothing === true) return UNCOUNTED;
      const key = agentId === undefined ? `ip:${addressKey(ipOf(request))}` : `agent:${agentId}`;
      const all: Counting[] = [];
      let allowance: Allowance | null = null;
      for (const used of limits) {
        const { limit, uses } = typeof used === 'string' ? { limit: used, uses: 1 } : used;
        const counted = await limiter.count(limit, key, uses);
        all.push({ limit, counted });
        allowance = tighter(allowance, counted);
        if (counted === null || counted.retryAfterSeconds === null) continue;
        refused.set(request, all);
        return { isWithin: false, allowance };
      }
      return { isWithin: true, allowance };
    },
    limiterFor(request) {
      const before = refused.get(request);
      return before === undefined ? limiter : after(before, limiter);
    },
  };
}

interface Counting {
  readonly limit: LimitName;
  readonly counted: Allowance | null;
}

function after(before: readonly Counting[], limiter: Limiter): Limiter {
  let place = 0;
  return {
    async count(...asked) {
      const known = before[place];
      if (known?.limit !== asked[0]) return limiter.count(...asked);
      place += 1;
      return known.counted;
    },
  };
}

/**
 * What an answer tells of the budget that it spent; nothing where none is counted. The window's end is in seconds from now, as in
 * `Retry-After`: no clock of the caller's is needed.
 */
export function rateLimitHeaders(allowance: Allowance | null): Readonly<Record<string, string>> {
  if (allowance === null) return {};
  const { limit, remaining, resetSeconds } = allowance;
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  };
}

/** The same, and when to come back where the budget is spent. */
export function allowanceHeaders(allowance: Allowance | null): Readonly<Record<string, string>> {
  const retryAfter = allowance?.retryAfterSeconds ?? null;
  return { ...rateLimitHeaders(allowance), ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }) };
}
