import type { IncomingHttpHeaders } from 'node:http';

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
import { AnswerText } from './place.ts';
import type { Values } from './selection.ts';

interface KnownAnswersNeeds {
  readonly documents: KnownDocuments;
  readonly format: ErrorFormatter;
  readonly contextOf: (request: Request) => Context;
}

/**
 * Answers a POST of a document that Apollo has answered before, byte for byte as Apollo would: nothing is parsed, validated or
 * weighed again. Whatever is out of the ordinary is left to Apollo: other methods and media types, odd bodies,
 * subscriptions, variables that do not fit, and what costs too much.
 */
export function knownAnswers({ documents, format, contextOf }: KnownAnswersNeeds): RequestHandler {
  return async (request, response, next) => {
    const known = request.method === 'POST' ? knownRequest(documents, request.body) : null;
    const type = known === null ? null : mediaTypeOf(request);
    if (known === null || type === null) {
      next();
      return;
    }
    const context = contextOf(request);
    const { text } = await withDeadline(ANSWER_MS, () => executeKnown(known, context, format));
    response.set({ ...answerHeaders(context), 'Content-Type': `${type}; charset=utf-8` }).end(text);
  };
}

/** A request for an operation that is compiled, that its variables fit, and that does not cost too much. */
export interface KnownRequest {
  readonly operation: CompiledOperation;
  readonly variables: Values;
  readonly cost: Cost;
}

/** What the body of a POST asks for; null where it is left to Apollo. */
export function knownRequest(documents: KnownDocuments, body: unknown): KnownRequest | null {
  const sent = plainBody(body);
  const operation = sent && documents.find(sent.query)?.operation(sent.operationName);
  if (!operation || operation.type === OperationTypeNode.SUBSCRIPTION) return null;
  const variables = operation.coerced(sent.variables);
  const cost = variables && costOf(operation, variables);
  return variables && cost && { operation, variables, cost };
}

/** The text of the answer: members in Apollo's order, and its newline behind them. */
export async function executeKnown(known: KnownRequest, context: unknown, format: ErrorFormatter) {
  const { operation, variables, cost } = known;
  const { data, errors } = await operation.execute({ context, variables, takesText: true });
  const told = errors === undefined ? '' : `"errors":${JSON.stringify(errors.map(format))},`;
  const text = `{${told}"data":${textOf(data)},"extensions":${JSON.stringify({ cost })}}\n`;
  return { text, hasErrors: errors !== undefined };
}

/** As JSON.stringify, with what has been text before in its places. */
function textOf(data: Executed['data']): string {
  if (data === null) return 'null';
  const members = Object.entries(data).map(([key, value]) => {
    return `"${key}":${value instanceof AnswerText ? value.json : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

/** What such an answer carries beside what all do. */
export function answerHeaders(context: Pick<Context, 'allowance'>): Readonly<Record<string, string>> {
  return { 'Cache-Control': 'no-store', ...allowanceHeaders(context) };
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
  return takesPlainJson(request.headers) ? MEDIA_TYPES[0] : request.accepts([...MEDIA_TYPES]) || null;
}

/** Whether it needs no comparing of what is accepted. */
export function takesPlainJson({ accept }: IncomingHttpHeaders): boolean {
  return accept === undefined || accept === '*/*' || accept === MEDIA_TYPES[0];
}
