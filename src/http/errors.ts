import type { NextFunction, Request, Response } from 'express';

import { isOutOfReach, isStopped, isUnstorableText } from '../database/failures.ts';
import { BODY_BYTES, STATEMENT_MS } from '../limits.ts';
import { DomainError, ERROR_REASONS, type ErrorCode, type ErrorReason } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { unreadable } from './bodies.ts';
import { FOR_ITS_CALLER } from './cache-headers.ts';

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

const STATUS_OF_REASON: Readonly<Partial<Record<ErrorReason, number>>> = {
  body_too_large: 413,
  headers_too_large: 431,
  request_timeout: 408,
  method_not_allowed: 405,
};

export function statusOf(reason: ErrorReason): number {
  return STATUS_OF_REASON[reason] ?? STATUS_OF[ERROR_REASONS[reason].code];
}

const RETRY_AFTER = 1;

/** The error a caller may read: a domain error itself, `UNAVAILABLE` if the database is out of reach, else a bare `INTERNAL`. */
export function domainErrorOf(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  if (isUnstorableText(cause)) {
    return new DomainError('invalid_parameter', 'Text must hold no NUL character and be valid Unicode.', { cause });
  }
  if (isStopped(cause)) {
    const message = `Part of this took the database longer than ${STATEMENT_MS / SECOND} s and was cancelled; ask for less at a time, or try again shortly.`;
    return new DomainError('took_too_long', message, { cause, retryAfter: RETRY_AFTER });
  }
  if (isOutOfReach(cause)) {
    const message = 'The database is out of reach at present; try again shortly.';
    return new DomainError('database_unavailable', message, { cause, retryAfter: RETRY_AFTER });
  }
  return new DomainError('internal', 'Internal server error.', { cause });
}

export function sendErrors(report: (error: unknown) => void) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) next(error);
    else {
      const { status, headers, body } = errorAnswer(error, report);
      response.set(headers).status(status).json(body);
    }
  };
}

/** Reports the caller's error; for an internal fault its cause instead. */
export function reportFound(found: DomainError, cause: unknown, report: (error: unknown) => void): void {
  report(found.code === 'INTERNAL' ? (found.cause ?? cause) : found);
}

export function errorReporter(report: (error: unknown) => void, onRefused: (reason: ErrorReason) => void) {
  return (error: unknown): void => (error instanceof DomainError ? onRefused(error.reason) : report(error));
}

export function errorAnswer(error: unknown, report: (error: unknown) => void) {
  const found = unreadable(error, BODY_BYTES) ?? domainErrorOf(error);
  reportFound(found, error, report);
  const retryAfter = found.retryAfter === undefined ? {} : { 'Retry-After': String(found.retryAfter) };
  const headers: Readonly<Record<string, string>> = { ...FOR_ITS_CALLER, ...retryAfter };
  return { status: statusOf(found.reason), headers, body: errorBody(found) };
}

/** The sentence (spec 7) and a stable `code`; `errors` lists all refused parameters or fields, the first one's sentence comes first. */
export function errorBody({ message, reason, refusals, argument, retryAfter, budget }: DomainError) {
  const listed = refusals.map((one) => ({ param: one.argument, code: one.reason, error: one.message }));
  return {
    error: message,
    code: reason,
    param: argument,
    errors: listed.length === 0 ? undefined : listed,
    endpoint: budget?.endpoint,
    limit: budget?.limit,
    window_seconds: budget?.windowSeconds,
    retry_after: retryAfter,
  };
}

export function noSuchPath({ method, path }: Request): never {
  throw new DomainError('unknown_path', `There is no endpoint ${method} ${path}.`);
}

export function methodRefused({ path, method = '' }: { path: string; method?: string }, methods: Iterable<string>) {
  const allowed = [...methods].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  const error = new DomainError('method_not_allowed', `${path} accepts ${allowed}, not ${method}.`);
  return { error, headers: { Allow: allowed } };
}

export function refuseMethod(...methods: readonly string[]) {
  return (request: Request, response: Response): never => {
    const { error, headers } = methodRefused(request, methods);
    response.set(headers);
    throw error;
  };
}
