import { GraphQLError, type GraphQLErrorExtensions, type GraphQLFormattedError } from 'graphql';

import { domainErrorOf, reportFound } from '../http/errors.ts';
import { DomainError } from '../rules/errors.ts';
import { excessOf } from './document-limits.ts';

/** The domain's own, `BAD_REQUEST` for an unfit document, `UNAVAILABLE` without database, else `INTERNAL`. */
export function callersError(error: GraphQLError): DomainError {
  const cause = causeOf(error);
  if (cause === undefined)
    return new DomainError(excessOf(error) === undefined ? 'invalid_document' : 'query_too_large', error.message);
  return domainErrorOf(cause);
}

function causeOf(error: GraphQLError): Error | undefined {
  let cause: Error | undefined = error.originalError;
  while (cause !== undefined && 'originalError' in cause && cause.originalError instanceof Error)
    cause = cause.originalError;
  return cause instanceof GraphQLError && isAboutDocument(error, cause) ? undefined : cause;
}

/** Apollo wraps errors of the document. One with a path but without nodes is a value that failed to serialize. */
function isAboutDocument(error: GraphQLError, cause: GraphQLError): boolean {
  return error.path === undefined || cause.nodes !== undefined;
}

export type ErrorFormatter = (error: unknown) => GraphQLFormattedError;

export function errorFormatter(report: (error: unknown) => void): ErrorFormatter {
  return (error) => {
    const graphqlError = asGraphQLError(error);
    const found = callersError(graphqlError);
    reportFound(found, error, report);
    const { locations, path } = graphqlError;
    const excess = excessOf(graphqlError);
    return {
      message: found.message,
      ...(locations ? { locations } : {}),
      ...(path ? { path } : {}),
      // `limit` is the older name; a spent budget has a number there.
      extensions: {
        ...extensionsOf(found),
        ...(graphqlError.extensions.code === UNKNOWN_HASH ? { code: UNKNOWN_HASH } : {}),
        ...(excess === undefined ? {} : { excess, limit: excess }),
      },
    };
  };
}

/** Clients send the whole query after this code. */
const UNKNOWN_HASH = 'PERSISTED_QUERY_NOT_FOUND';

function extensionsOf({ code, reason, argument, refusals, retryAfter, budget }: DomainError): GraphQLErrorExtensions {
  const listed = refusals.map((one) => ({ param: one.argument, reason: one.reason, message: one.message }));
  return {
    code,
    reason,
    param: argument,
    errors: refusals.length < 2 ? undefined : listed,
    retryAfter,
    ...budget,
  };
}

function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
