import { GraphQLError, type GraphQLErrorExtensions, type GraphQLFormattedError } from 'graphql';

import { domainErrorOf, reportFound } from '../http/errors.ts';
import { DomainError } from '../rules/errors.ts';
import { excessOf } from './document-limits.ts';

/**
 * The error that a caller may read: the domain's own, `BAD_REQUEST` for a document or variables that the schema does
 * not take, `UNAVAILABLE` while the database is out of reach, and for all else an `INTERNAL` without any detail.
 */
export function callersError(error: GraphQLError): DomainError {
  const cause = causeOf(error);
  if (cause === undefined)
    return new DomainError(excessOf(error) === undefined ? 'invalid_document' : 'query_too_large', error.message);
  return domainErrorOf(cause);
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

/** Makes of an error what a caller may read: the domain's code and sentence. Internal causes go to `report` alone. */
export type ErrorFormatter = (error: unknown) => GraphQLFormattedError;

/** The formatter of every GraphQL transport. */
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
      // `limit` is the older name, under which a spent budget has a number.
      extensions: {
        ...extensionsOf(found),
        ...codeOfProtocol(graphqlError),
        ...(excess === undefined ? {} : { excess, limit: excess }),
      },
    };
  };
}

/** Clients send a query whole after it. */
const UNKNOWN_HASH = 'PERSISTED_QUERY_NOT_FOUND';

function codeOfProtocol({ extensions: { code } }: GraphQLError): GraphQLErrorExtensions {
  return code === UNKNOWN_HASH ? { code } : {};
}

/** What programs read of an error; of several arguments that are refused each is in `errors`. */
function extensionsOf({ code, reason, argument, refusals, retryAfter, budget }: DomainError): GraphQLErrorExtensions {
  return {
    code,
    reason,
    ...(argument === undefined ? {} : { param: argument }),
    ...(refusals.length < 2 ? {} : { errors: refusals.map(refusalOf) }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...budget,
  };
}

function refusalOf({ argument, reason, message }: DomainError) {
  return { param: argument, reason, message };
}

function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
