import type { NextFunction, Request, Response } from 'express';

import { isOutOfReach, isStopped, isUnstorableText } from '../database/failures.ts';
import { BODY_BYTES, STATEMENT_MS } from '../limits.ts';
import { DomainError, type ErrorCode } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { unreadable } from './bodies.ts';

/** The HTTP status of each of the domain's errors (spec section 7). */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** When those come back who were refused for the database, in seconds. */
const RETRY_AFTER = 1;

/**
 * The error that a caller may read for whatever was thrown: the domain's own, `UNAVAILABLE` while the database is out
 * of reach, and for all else an `INTERNAL` without any detail; `cause` is what was thrown.
 */
export function domainErrorOf(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  if (isUnstorableText(cause)) {
    return new DomainError('BAD_REQUEST', 'Text must hold no NUL character and be valid Unicode.', { cause });
  }
  if (isStopped(cause)) {
    const message = `A part of this took the database longer than ${STATEMENT_MS / SECOND} s and was stopped; ask for less at a time, or try again shortly.`;
    return new DomainError('UNAVAILABLE', message, { cause, retryAfter: RETRY_AFTER });
  }
  if (isOutOfReach(cause)) {
    const message = 'The database is out of reach at present; try again shortly.';
    return new DomainError('UNAVAILABLE', message, { cause, retryAfter: RETRY_AFTER });
  }
  return new DomainError('INTERNAL', 'Internal server error.', { cause });
}

/** An Express error handler that sends `{"error": ...}`; what the caller must not see goes to `report` instead. */
export function sendErrors(report: (error: unknown) => void) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) next(error);
    else sendError(response, error, report);
  };
}

function sendError(response: Response, error: unknown, report: (error: unknown) => void): void {
  const unread = unreadable(error, BODY_BYTES);
  if (unread !== null) {
    response.status(unread.status === 413 ? 413 : 400).json({ error: unread.message });
    return;
  }
  const { code, message, cause, retryAfter } = domainErrorOf(error);
  if (code === 'INTERNAL') report(cause ?? error);
  if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter));
  response.status(STATUS_OF[code]).json({ error: message });
}

/** The last handler of a router: throws `NOT_FOUND`, naming what was asked for. */
export function noSuchPath({ method, path }: Request): never {
  throw new DomainError('NOT_FOUND', `There is no endpoint ${method} ${path}.`);
}
