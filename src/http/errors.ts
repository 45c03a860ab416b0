import type { NextFunction, Request, Response } from 'express';

import { isOutOfReach, isStopped, isUnstorableText } from '../database/failures.ts';
import { BODY_BYTES, STATEMENT_MS } from '../limits.ts';
import { DomainError, ERROR_REASONS, type ErrorCode, type ErrorReason } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { unreadable } from './bodies.ts';
import { FOR_ITS_CALLER } from './cache-headers.ts';

/** The HTTP status of each kind of the domain's errors (spec section 7). */
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

/** Those of which HTTP knows more than their kind. */
const STATUS_OF_REASON: Readonly<Partial<Record<ErrorReason, number>>> = {
  body_too_large: 413,
  headers_too_large: 431,
  request_timeout: 408,
  method_not_allowed: 405,
};

export function statusOf(reason: ErrorReason): number {
  return STATUS_OF_REASON[reason] ?? STATUS_OF[ERROR_REASONS[reason].code];
}

/** When those come back who were refused for the database, in seconds. */
const RETRY_AFTER = 1;

/**
 * The error that a caller may read for whatever was thrown: the domain's own, `UNAVAILABLE` while the database is out
 * of reach, and for all else an `INTERNAL` without any detail; `cause` is what was thrown.
 */
export function domainErrorOf(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  if (isUnstorableText(cause)) {
    return new DomainError('invalid_parameter', 'Text must hold no NUL character and be valid Unicode.', { cause });
  }
  if (isStopped(cause)) {
    const message = `A part of this took the database longer than ${STATEMENT_MS / SECOND} s and was stopped; ask for less at a time, or try again shortly.`;
    return new DomainError('took_too_long', message, { cause, retryAfter: RETRY_AFTER });
  }
  if (isOutOfReach(cause)) {
    const message = 'The database is out of reach at present; try again shortly.';
    return new DomainError('database_unavailable', message, { cause, retryAfter: RETRY_AFTER });
  }
  return new DomainError('internal', 'Internal server error.', { cause });
}

/** An Express error handler that sends what `errorBody` makes; what the caller must not see goes to `report` instead. */
export function sendErrors(report: (error: unknown) => void) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) next(error);
    else sendError(response, error, report);
  };
}

function sendError(response: Response, error: unknown, report: (error: unknown) => void): void {
  const { status, headers, body } = errorAnswer(error, report);
  response.set(headers).status(status).json(body);
}

/** Hands what was refused to `report`, as the error that the caller reads, and of an internal fault its cause in place of it. */
export function reportFound(found: DomainError, cause: unknown, report: (error: unknown) => void): void {
  report(found.code === 'INTERNAL' ? (found.cause ?? cause) : found);
}

/** What reports faults to `report`, and counts by `onRefused` what was refused for its caller's own doing. */
export function reporting(report: (error: unknown) => void, onRefused: (reason: ErrorReason) => void) {
  return (error: unknown): void => (error instanceof DomainError ? onRefused(error.reason) : report(error));
}

/** How an error is answered; what the caller must not see goes to `report` instead. */
export function errorAnswer(error: unknown, report: (error: unknown) => void) {
  const found = unreadable(error, BODY_BYTES) ?? domainErrorOf(error);
  reportFound(found, error, report);
  const retryAfter = found.retryAfter === undefined ? {} : { 'Retry-After': String(found.retryAfter) };
  const headers: Readonly<Record<string, string>> = { ...FOR_ITS_CALLER, ...retryAfter };
  return { status: statusOf(found.reason), headers, body: errorBody(found) };
}

/**
 * The body of an error: the sentence (spec 7) and a `code` that stays the same. `param` and `errors` where parameters or fields
 * are refused: all of them, the sentence is the first one's. `retry_after` in seconds where that is known, and of a spent
 * budget whose it is and how much.
 */
export function errorBody({ message, reason, refusals, argument, retryAfter, budget }: DomainError) {
  return {
    error: message,
    code: reason,
    ...(argument === undefined ? {} : { param: argument }),
    ...(refusals.length === 0 ? {} : { errors: refusals.map(refusalBody) }),
    ...(budget && { endpoint: budget.endpoint, limit: budget.limit, window_seconds: budget.windowSeconds }),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  };
}

function refusalBody({ argument, reason, message }: DomainError) {
  return { param: argument, code: reason, error: message };
}

/** The last handler of a router: throws `NOT_FOUND`, naming what was asked for. */
export function noSuchPath({ method, path }: Request): never {
  throw new DomainError('unknown_path', `There is no endpoint ${method} ${path}.`);
}

/** The error of a request for a path that takes only these methods, and the header that names them. */
export function methodRefused({ path, method = '' }: { path: string; method?: string }, methods: Iterable<string>) {
  const allowed = [...methods].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  const error = new DomainError('method_not_allowed', `${path} takes ${allowed}, not ${method}.`);
  return { error, headers: { Allow: allowed } };
}

/** Answers 405 and says which methods the path takes. */
export function refuseMethod(...methods: readonly string[]) {
  return (request: Request, response: Response): never => {
    const { error, headers } = methodRefused(request, methods);
    response.set(headers);
    throw error;
  };
}
