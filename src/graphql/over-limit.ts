import { GraphQLError } from 'graphql';

import { QUERY_LIMITS, type QueryLimit } from '../limits.ts';

const FIGURES = new Intl.NumberFormat('en-US');

/** What the caller reads of a limit that a query exceeds, as `extensions.limit` of the error. */
export interface Excess {
  readonly name: QueryLimit;
  /** What the query comes to; of `selections`, which are not counted to the end, the first number that is too high. */
  readonly found: number;
  readonly most: number;
}

/** The refusal of a query that asks for too much: HTTP 400 whichever media type the caller accepts. */
export function overLimit(name: QueryLimit, found: number): GraphQLError {
  const most = QUERY_LIMITS[name];
  const excess: Excess = { name, found, most };
  return new GraphQLError(
    `The query asks for too much: ${wordsOf(name)} ${FIGURES.format(found)}, at most ${FIGURES.format(most)}.`,
    { extensions: { code: 'BAD_REQUEST', limit: excess, http: { status: 400 } } },
  );
}

/** The limit that an error is about, or undefined. */
export function excessOf(error: { readonly extensions?: Readonly<Record<string, unknown>> }): unknown {
  return error.extensions?.['limit'];
}

function wordsOf(name: QueryLimit): string {
  return name === 'rootFields' ? 'root fields' : name;
}
