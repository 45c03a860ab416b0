import express, { type Request, type Response } from 'express';

import { BODY_BYTES } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import type { Data } from './endpoint.ts';

const parseJson = express.json({ limit: BODY_BYTES, strict: false });

/** The request's body, a JSON object of at most 16 KiB. Throws `BAD_REQUEST`, or Express's own error with a status. */
export async function jsonBody(request: Request, response: Response): Promise<Data> {
  if (!request.is('application/json')) {
    throw new DomainError(
      'BAD_REQUEST',
      'The body must be JSON: send it with the header "Content-Type: application/json".',
    );
  }
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('BAD_REQUEST', 'The body must be a JSON object, such as {"name": "my-agent"}.');
  }
  return { ...body };
}
