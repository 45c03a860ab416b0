import { GraphQLError } from 'graphql';

import { isOutOfReach, isStopped } from './entities/out-of-reach.ts';
import { STATEMENT_MS } from './limits.ts';
import { DomainError } from './rules/errors.ts';
import { SECOND } from './rules/hours.ts';

/** When those come back who were refused for the database, in seconds. */
const RETRY_AFTER = 1;

/**
 * The error that a caller may read: the domain's own, `BAD_REQUEST` for a document or variables that the schema does
 * not take, `UNAVAILABLE` while the database is out of reach, and for all else an `INTERNAL` without any detail.
 */
export function callersError(error: GraphQLError): DomainError {
  const cause = causeOf(error);
  if (cause === undefined) return new DomainError('BAD_REQUEST', error.message);
  if (cause instanceof DomainError) return cause;
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
