import type { IncomingMessage } from 'node:http';

import { GraphQLError, OperationTypeNode } from 'graphql';

import { isObject, type SentJson } from '../http/bodies.ts';
import { checkDepth, fieldsIn } from '../http/sent-text.ts';
import { costOrExcess } from './cost-budget.ts';
import type { Cost } from './cost.ts';
import type { Documents } from './documents.ts';
import type { CompiledOperation } from './operation.ts';
import type { Values } from './selection.ts';

/** The media types that answers are sent as, the preferred one first. */
export const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'] as const;

/** A GraphQL request, its body read. */
export interface Sent {
  readonly method: 'GET' | 'POST';
  /** Undefined where there is none of JSON. */
  readonly body: unknown;
  /** The query of its address, with its mark; empty without one. */
  readonly search: string;
  /** Its document; null where Apollo reports that there is none. */
  readonly query: string | null;
}

const NOTHING_ASKED =
  'There is no query. Send POST /graphql with the JSON body {"query": "{ currentRound { question } }"} and Content-Type: application/json. A browser that opens /graphql gets an IDE.';

/** `json` is its body; undefined where it has none of that type. */
export function sentIn({ url = '', method }: IncomingMessage, json: SentJson | undefined): Sent {
  const mark = url.indexOf('?');
  const search = mark === -1 ? '' : url.slice(mark);
  if (method === 'GET') {
    const fields = fieldsIn(search.slice(1));
    const query = fields.get('query');
    for (const name of ['variables', 'extensions']) checkDepth(fields.get(name) ?? '');
    if (query === null && !fields.has('extensions')) throw badRequest(NOTHING_ASKED, 400);
    return { method, body: undefined, search, query };
  }
  const body = json?.value();
  const query = isObject(body) ? body['query'] : undefined;
  return { method: 'POST', body, search, query: typeof query === 'string' ? query : null };
}

export function badRequest(message: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });
}

/** An operation of a known document that its variables fit, and that does not cost too much. */
export interface CompiledRequest {
  readonly operation: CompiledOperation;
  readonly variables: Values;
  readonly cost: Cost;
}

/**
 * What a request asks for; null where that is left to Apollo: first sights, persisted queries, odd requests, and all that is
 * refused. Other extensions, such as the name and version that Apollo's clients send of themselves, ask for nothing.
 */
export function askedIn({ method, body }: Sent, documents: Documents): CompiledRequest | null {
  if (method !== 'POST' || !isObject(body)) return null;
  const { query, operationName = null, variables: given = null, extensions = null } = body;
  if (typeof query !== 'string') return null;
  if (extensions !== null && (!isObject(extensions) || 'persistedQuery' in extensions)) return null;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (given !== null && !isObject(given)) return null;
  const operation = documents.find(query)?.operation(operationName);
  if (!operation || operation.type === OperationTypeNode.SUBSCRIPTION) return null;
  const variables = operation.coerce(given ?? {}).coerced;
  const cost = variables === undefined ? null : costOrExcess(operation, variables);
  if (variables === undefined || cost === null || cost instanceof GraphQLError) return null;
  return { operation, variables, cost };
}

/**
 * The media type of an answer. Null where the caller's wishes have to be weighed, which Apollo does: nothing can be wished for more
 * than what is named first and without a weight.
 */
export function mediaTypeFor(accept: string | undefined): string | null {
  const [first = '*/*'] = accept?.split(',', 1) ?? [];
  if (first === '*/*' && (accept === undefined || accept === first)) return MEDIA_TYPES[0];
  return MEDIA_TYPES.find((type) => type === first.trim()) ?? null;
}
