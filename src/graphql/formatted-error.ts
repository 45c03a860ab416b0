import { GraphQLError, type GraphQLFormattedError } from 'graphql';

import { callersError } from '../graphql-errors.ts';
import { excessOf } from './over-limit.ts';

/** Makes of an error what a caller may read: the domain's code and sentence. Internal causes go to `report` alone. */
export type ErrorFormatter = (error: unknown) => GraphQLFormattedError;

/** The formatter of every GraphQL transport. */
export function errorFormatter(report: (error: unknown) => void): ErrorFormatter {
  return (error) => {
    const graphqlError = asGraphQLError(error);
    const told = callersError(graphqlError);
    if (told.code === 'INTERNAL') report(told.cause);
    const { locations, path } = graphqlError;
    const limit = excessOf(graphqlError);
    return {
      message: told.message,
      ...(locations ? { locations } : {}),
      ...(path ? { path } : {}),
      extensions: {
        code: told.code,
        ...(told.retryAfter === undefined ? {} : { retryAfter: told.retryAfter }),
        ...(limit === undefined ? {} : { limit }),
      },
    };
  };
}

function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
