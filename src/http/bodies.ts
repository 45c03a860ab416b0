import express, { type Request, type RequestHandler, type Response } from 'express';

import { BODY_BYTES, QUERY_BYTES } from '../limits.ts';
import { DomainError, quoted } from '../rules/errors.ts';

/** Reads the body of a GraphQL request, which Apollo or `sentDocument` judges. */
export const readGraphqlBody: RequestHandler = express.json({ limit: QUERY_BYTES });

const readRestBody = express.json({ limit: BODY_BYTES, strict: false });

/** The request's body, JSON of at most 16 KiB. Throws `BAD_REQUEST`, or what `unreadable` translates. */
export async function jsonValue(request: Request, response: Response): Promise<unknown> {
  if (!request.is('application/json')) {
    throw new DomainError(
      'invalid_body',
      `The body must be JSON, sent with the header "Content-Type: application/json" (got ${quoted(request.get('content-type'))}).`,
    );
  }
  await new Promise<void>((resolve, reject) => {
    readRestBody(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return request.body;
}

/** The same of a body that must be an object. */
export async function jsonBody(request: Request, response: Response): Promise<Readonly<Record<string, unknown>>> {
  const body = await jsonValue(request, response);
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
