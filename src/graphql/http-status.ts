import type { GraphQLRequestContext } from '@apollo/server';

import { excessOf } from './over-limit.ts';

/**
 * Whether a request was well formed, and its document, operation name or variables were not. GraphQL over HTTP gives
 * such requests 400, but 200 to those who accept `application/json` alone. Exceeded limits are none of these.
 */
export function isErrorOfDocument({
  source,
  errors,
}: Pick<GraphQLRequestContext<object>, 'source' | 'errors'>): boolean {
  return source !== undefined && !errors?.some((error) => excessOf(error) !== undefined);
}

/** Whether a caller names `application/json` and not the media type under which statuses tell of the document. */
export function namesPlainJson(accept: string | undefined): boolean {
  return (
    accept !== undefined && accept.includes('application/json') && !accept.includes('application/graphql-response')
  );
}
