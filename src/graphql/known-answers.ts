import type { Request, RequestHandler } from 'express';
import { GraphQLError, OperationTypeNode } from 'graphql';

import { withDeadline } from '../deadline.ts';
import { ANSWER_MS } from '../limits.ts';
import type { Context } from '../resolvers/context.ts';
import { allowanceHeaders, MEDIA_TYPES } from './admission.ts';
import type { CompiledOperation } from './compiled-document.ts';
import type { Cost } from './cost.ts';
import type { ErrorFormatter } from './errors.ts';
import type { Executed } from './execution.ts';
import type { KnownDocuments } from './known-documents.ts';
import type { Values } from './selection.ts';

interface KnownAnswersNeeds {
  readonly documents: KnownDocuments;
  readonly format: ErrorFormatter;
  readonly contextOf: (request: Request) => Context;
}

/**
 * Answers a POST of a document that Apollo has answered before, byte for byte as Apollo would, at about a quarter of its cost: nothing is
 * parsed, validated or weighed again. Whatever is out of the ordinary is left to Apollo: other methods and media types,
 * odd bodies, subscriptions, variables that do not fit, and what costs too much.
 */
export function knownAnswers({ documents, format, contextOf }: KnownAnswersNeeds): RequestHandler {
  return async (request, response, next) => {
    const ready = readyOperation(documents, request);
    const type = ready === null ? null : mediaTypeOf(request);
    if (ready === null || type === null) {
      next();
      return;
    }
    const { operation, variables, cost } = ready;
    const context = contextOf(request);
    const answer = await withDeadline(ANSWER_MS, async () => operation.execute({ context, variables }));
    response
      .set({ 'Cache-Control': 'no-store', ...allowanceHeaders(context), 'Content-Type': `${type}; charset=utf-8` })
      .end(textOf(answer, cost, format));
  };
}

interface ReadyOperation {
  readonly operation: CompiledOperation;
  readonly variables: Values;
  readonly cost: Cost;
}

function readyOperation(documents: KnownDocuments, request: Request): ReadyOperation | null {
  const sent = request.method === 'POST' ? plainBody(request.body) : null;
  const operation = sent && documents.find(sent.query)?.operation(sent.operationName);
  if (!operation || operation.type === OperationTypeNode.SUBSCRIPTION) return null;
  const variables = operation.coerced(sent.variables);
  const cost = variables && costOf(operation, variables);
  return variables && cost && { operation, variables, cost };
}

interface PlainBody {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Values;
}

/** The body of a request as clients write it; null for any other. */
function plainBody(body: unknown): PlainBody | null {
  if (!isRecord(body)) return null;
  const { query, operationName = null, variables = null, extensions = null } = body;
  if (typeof query !== 'string' || extensions !== null) return null;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (variables !== null && !isRecord(variables)) return null;
  return { query, operationName, variables: variables ?? {} };
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function costOf(operation: CompiledOperation, variables: Values): Cost | null {
  try {
    return operation.cost(variables);
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

/** Null where the caller takes none of ours. */
function mediaTypeOf(request: Request): string | null {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPES[0]) return MEDIA_TYPES[0];
  return request.accepts([...MEDIA_TYPES]) || null;
}

/** Members in Apollo's order, and its newline behind them. */
function textOf({ data, errors }: Executed, cost: Cost, format: ErrorFormatter): string {
  return `${JSON.stringify({ errors: errors?.map(format), data, extensions: { cost } })}\n`;
}
