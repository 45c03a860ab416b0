import type { IncomingMessage } from 'node:http';

import express, { type Request, type RequestHandler, type Response } from 'express';

import { BODY_BYTES, QUERY_BYTES } from '../limits.ts';
import { DomainError, quoted } from '../rules/errors.ts';

/** Reads the body of a GraphQL request, which Apollo or `sentDocument` judges. */
export const readGraphqlBody: RequestHandler = express.json({ limit: QUERY_BYTES });

const readRestBody = express.json({ limit: BODY_BYTES, strict: false });

/** The request's body, a JSON object of at most 16 KiB. Throws `BAD_REQUEST`, or what `unreadable` translates. */
export async function jsonBody(request: Request, response: Response): Promise<Readonly<Record<string, unknown>>> {
  if (!request.is('application/json')) {
    throw new DomainError(
      'invalid_body',
      `The body must be JSON, sent with the header "Content-Type: application/json" (got ${quoted(request.get('content-type'))}).`,
    );
  }
  await new Promise<void>((resolve, reject) => {
    readRestBody(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError(
      'invalid_body',
      `The body must be a JSON object, such as {"name": "my-agent"} (got ${quoted(body)}).`,
    );
  }
  return { ...body };
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
  const message = 'The request cannot be read: its address, encoding or character set is broken.';
  return new DomainError('unreadable_request', message);
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
