import { GraphQLError } from 'graphql';

import { STATEMENT_MS } from './limits.ts';
import { DomainError } from './rules/errors.ts';
import { SECOND } from './rules/hours.ts';

const CLASSES_OF_LOST_DATABASE = /^(08|57P0|53300)/;
const CODE_OF_STOPPED_STATEMENT = '57014';
const CODES_OF_LOST_DATABASE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);

/**
 * The error that a caller may read: the domain's own, `BAD_REQUEST` for a document or variables that the schema does
 * not take, `UNAVAILABLE` while the database is out of reach, and for all else an `INTERNAL` without any detail.
 */
export function callersError(error: GraphQLError): DomainError {
  const cause = causeOf(error);
  if (cause === undefined) return new DomainError('BAD_REQUEST', error.message);
  if (cause instanceof DomainError) return cause;
  if (isLostDatabase(cause)) {
    return new DomainError('UNAVAILABLE', 'The database is out of reach at present; try again shortly.', {
      cause,
      retryAfter: 1,
    });
  }
  if (codesOf(cause).includes(CODE_OF_STOPPED_STATEMENT)) {
    const message = `A part of this took the database longer than ${STATEMENT_MS / SECOND} s and was stopped; ask for less at a time.`;
    return new DomainError('UNAVAILABLE', message, { cause });
  }
  return new DomainError('INTERNAL', 'Internal server error.', { cause });
}

/** What a resolver threw; undefined for errors of the document itself and its variables. */
function causeOf(error: GraphQLError): Error | undefined {
  let cause: Error | undefined = error.originalError;
  while (cause !== undefined && 'originalError' in cause && cause.originalError instanceof Error)
    cause = cause.originalError;
  return cause instanceof GraphQLError && isAboutDocument(error, cause) ? undefined : cause;
}

/** Apollo wraps errors of the document. One that names no place in it, but a field, is a value that did not serialise. */
function isAboutDocument(error: GraphQLError, cause: GraphQLError): boolean {
  return error.path === undefined || cause.nodes !== undefined;
}

function isLostDatabase(error: unknown): boolean {
  return codesOf(error).some((code) => CODES_OF_LOST_DATABASE.has(code) || CLASSES_OF_LOST_DATABASE.test(code));
}

/** The codes of an error and of its causes, as the system or PostgreSQL gave them. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...own, ...codesOf(error.cause)];
}
