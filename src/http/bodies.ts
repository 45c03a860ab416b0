import type { IncomingMessage } from 'node:http';

import express from 'express';

import { BODY_BYTES, QUERY_BYTES } from '../limits.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import type { Exchange } from './exchange.ts';

export interface SentJson {
  /** Equal for equal requests. */
  readonly text: string;
  /** Throws `BAD_REQUEST` where it is broken. */
  readonly value: () => unknown;
}

/**
 * Reads the JSON of a request's body, once; undefined where the body is of another type, or there is none. Throws what
 * `unreadable` translates.
 */
type ReadJson = (exchange: Exchange) => Promise<SentJson | undefined>;

/** The body of a GraphQL request, which Apollo judges. */
export const readQuery: ReadJson = jsonReader(QUERY_BYTES);

const readBody = jsonReader(BODY_BYTES);

/** The request's body, JSON of at most 16 KiB. Throws `BAD_REQUEST`, or what `unreadable` translates. */
export async function jsonValue(exchange: Exchange): Promise<unknown> {
  const sent = await readBody(exchange);
  if (sent === undefined) {
    throw new DomainError(
      'invalid_body',
      `The body must be JSON, sent with the header "Content-Type: application/json" (got ${quoted(exchange.request.headers['content-type'])}).`,
    );
  }
  return sent.value();
}

/** The same of a body that must be an object. */
export async function jsonBody(exchange: Exchange): Promise<Readonly<Record<string, unknown>>> {
  const body = await jsonValue(exchange);
  if (!isObject(body)) {
    throw new DomainError(
      'invalid_body',
      `The body must be a JSON object, such as {"name": "my-agent"} (got ${quoted(body)}).`,
    );
  }
  return body;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonReader(maxBytes: number): ReadJson {
  // For what comes in pieces, compressed, or in another character set.
  const parse = express.json({ limit: maxBytes, strict: false });
  return async ({ request, response }) => {
    // The parser hands a body over that came with its head when the listener has returned.
    await Promise.resolve();
    nameUtf8(request);
    const bytes = isPlainJson(request) ? bytesAtHand(request, maxBytes) : null;
    if (bytes !== null) {
      const text = bytes.toString();
      return { text, value: () => parsed(text) };
    }
    await new Promise<void>((resolve, reject) => {
      parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    const value: unknown = 'body' in request ? request.body : undefined;
    return value === undefined ? undefined : { text: JSON.stringify(value), value: () => value };
  };
}

const JSON_TYPES: readonly unknown[] = ['application/json', 'application/json; charset=utf-8'];

/** Whether a request says that its body is JSON in UTF-8, and nothing else about it. */
function isPlainJson({ headers }: IncomingMessage): boolean {
  return JSON_TYPES.includes(headers['content-type']) && headers['content-encoding'] === undefined;
}

/** Many clients write the name of UTF-8 without its hyphen, which the parser does not know. */
function nameUtf8({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type !== undefined) headers['content-type'] = type.replace(/; *charset="?utf8"?/i, '; charset=utf-8');
}

/** Null unless all of the body has arrived and is within `maxBytes`. */
function bytesAtHand(request: IncomingMessage, maxBytes: number): Buffer | null {
  const length = Number(request.headers['content-length']);
  if (!(length > 0 && length <= maxBytes && request.readableLength === length)) return null;
  const bytes: unknown = request.read();
  return bytes instanceof Buffer ? bytes : null;
}

const BYTE_ORDER_MARK = '\ufeff';

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    return value;
  } catch (cause) {
    throw new DomainError('invalid_json', 'The body is not valid JSON.', { cause });
  }
}

/** The refusal of a request that cannot be taken apart. */
export function unreadableRequest(): DomainError {
  return new DomainError(
    'unreadable_request',
    'The request cannot be read: its address, encoding or character set is broken.',
  );
}

/**
 * The error for what Express and its body parser throw at a request that they cannot read; null for everything else. `maxBytes`
 * is the largest body that was read.
 */
export function unreadable(error: unknown, maxBytes: number): DomainError | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  if (error.status >= 500) return null;
  if (error.status === 413)
    return new DomainError('body_too_large', `The body is too large: at most ${maxBytes / 1024} KiB are read.`);
  const isBroken = 'type' in error && error.type === 'entity.parse.failed';
  if (isBroken) return new DomainError('invalid_json', 'The body is not valid JSON.');
  return unreadableRequest();
}
