import type { GraphQLError } from 'graphql';

import { DomainError } from './rules/errors.ts';

const CLASSES_OF_LOST_DATABASE = /^(08|57P0|53300)/;
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
  return new DomainError('INTERNAL', 'Internal server error.', { cause });
}

/** What a resolver threw; undefined for errors of the document itself. */
function causeOf(error: GraphQLError): Error | undefined {
  let cause: Error | undefined = error.originalError;
  while (cause !== undefined && 'originalError' in cause && cause.originalError instanceof Error)
    cause = cause.originalError;
  return cause;
}

function isLostDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return CODES_OF_LOST_DATABASE.has(code) || CLASSES_OF_LOST_DATABASE.test(code) || isLostDatabase(error.cause);
}
