import type { IncomingMessage } from 'node:http';

import { GraphQLError, OperationTypeNode } from 'graphql';

import { isObject, type SentJson } from '../http/bodies.ts';
import { checkDepth, fieldsIn } from '../http/received-text.ts';
import { costOrExcess } from './cost-budget.ts';
import type { Documents } from './documents.ts';

const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'] as const;

export type ReceivedRequest = ReturnType<typeof receivedRequest>;

const MISSING_QUERY =
  'There is no query. Send POST /graphql with the JSON body {"query": "{ currentRound { question } }"} and Content-Type: application/json. A browser that opens /graphql gets an IDE.';

export function receivedRequest({ url = '', method }: IncomingMessage, json: SentJson | undefined) {
  const mark = url.indexOf('?');
  const search = mark === -1 ? '' : url.slice(mark);
  if (method === 'GET') {
    const fields = fieldsIn(search.slice(1));
    const query = fields.get('query');
    for (const name of ['variables', 'extensions']) checkDepth(fields.get(name) ?? '');
    if (query === null && !fields.has('extensions')) throw badRequest(MISSING_QUERY, 400);
    return { method, body: undefined, search, query };
  }
  const body = json?.value();
  const query = isObject(body) ? body['query'] : undefined;
  return { method: 'POST', body, search, query: typeof query === 'string' ? query : null } as const;
}

export function badRequest(message: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { http: { status } } });
}

export type CompiledRequest = NonNullable<ReturnType<typeof compiledRequest>>;

/** Null where Apollo decides: new documents, persisted queries, odd requests and all refusals. */
export function compiledRequest({ method, body }: ReceivedRequest, documents: Documents) {
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

/** Null if Apollo must weigh preferences; a first type without a weight is the most preferred. */
export function mediaTypeFor(accept: string | undefined): string | null {
  const [first = '*/*'] = accept?.split(',', 1) ?? [];
  if (first === '*/*' && (accept === undefined || accept === first)) return MEDIA_TYPES[0];
  return MEDIA_TYPES.find((type) => type === first.trim()) ?? null;
}
