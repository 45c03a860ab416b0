import type { IncomingHttpHeaders } from 'node:http';

import { type DocumentNode, GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { Request, RequestHandler } from 'express';

import { ANSWER_MS, asksForSchema } from '../limits.ts';
import {
  type CompiledDocument,
  compiledDocument,
  compiledFields,
  type CompiledOperation,
} from './compiled-document.ts';
import { type Cost, type CostMeter, payFor } from './cost.ts';
import { parseDocument, validateDocument } from './document-limits.ts';
import { withDeadline } from '../deadline.ts';
import type { Context } from '../resolvers/context.ts';
import { allowanceHeaders } from '../http/quick-exchange.ts';
import { MEDIA_TYPES } from './admission.ts';
import type { ErrorFormatter } from './errors.ts';
import type { Executed } from './execution.ts';
import { AnswerText } from './place.ts';
import type { Values } from './selection.ts';

/** The valid documents that were sent last, by their text. */
export interface KnownDocuments {
  find(text: string): CompiledDocument | undefined;
  /** Keeps a document that was found valid elsewhere. */
  add(text: string, document: DocumentNode): void;
  /** Parses and validates what is not known; what is wrong with the document, if anything is. */
  check(text: string): CompiledDocument | readonly GraphQLError[];
  /** How many are kept, how many characters their texts have, and to how many fields they may be compiled. */
  size(): Size;
}

interface Size {
  readonly documents: number;
  readonly characters: number;
  readonly fields: number;
}

/** Parsed and compiled, the usual documents take 100 to 250 bytes of heap for each character of their text. */
const MOST_CHARACTERS = 256 * 1024;
/** A field takes up to 2.5 KB of heap with its plan, and a short text can spread one fragment at many places. */
const MOST_FIELDS = 20_000;
const MOST_DOCUMENTS = 500;
/** Longer documents are not kept: 16 of them would push all others out. */
const LONGEST_KEPT = 16 * 1024;

/** The documents of one process, whichever way they come; those that were asked for least recently go first. */
export function knownDocuments(schema: GraphQLSchema, meter: CostMeter): KnownDocuments {
  const kept = new Map<string, CompiledDocument>();
  const fieldsOf = new WeakMap<CompiledDocument, number>();
  let characters = 0;
  let fields = 0;
  const drop = (text: string): void => {
    const compiled = kept.get(text);
    if (compiled === undefined) return;
    kept.delete(text);
    characters -= text.length;
    fields -= fieldsOf.get(compiled) ?? 0;
  };
  const keep = (text: string, compiled: CompiledDocument): void => {
    if (text.length > LONGEST_KEPT || asksForSchema(text)) return;
    drop(text);
    kept.set(text, compiled);
    const found = compiledFields(compiled.document);
    fieldsOf.set(compiled, found);
    characters += text.length;
    fields += found;
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_DOCUMENTS && characters <= MOST_CHARACTERS && fields <= MOST_FIELDS) break;
      drop(oldest);
    }
  };
  const find = (text: string): CompiledDocument | undefined => {
    const known = kept.get(text);
    if (known !== undefined) {
      // The last in the map is the one that was asked for last.
      kept.delete(text);
      kept.set(text, known);
    }
    return known;
  };
  return {
    find,
    add(text, document) {
      if (find(text) === undefined) keep(text, compiledDocument(schema, document, meter));
    },
    check(text) {
      const known = find(text);
      if (known !== undefined) return known;
      const checked = checkedDocument(schema, text);
      if ('kind' in checked) {
        const compiled = compiledDocument(schema, checked, meter);
        keep(text, compiled);
        return compiled;
      }
      return checked;
    },
    size: () => ({ documents: kept.size, characters, fields }),
  };
}

function checkedDocument(schema: GraphQLSchema, text: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parseDocument(text);
    const errors = validateDocument(schema, document);
    return errors.length > 0 ? errors : document;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

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
    const answering = withDeadline(ANSWER_MS, async () => {
      await payFor(context, { type: known.operation.type, cost: known.cost });
      return executeKnown(known, context, format);
    });
    const { text } = await answering.finally(() => response.set(answerHeaders(context)));
    response.set('Content-Type', `${type}; charset=utf-8`).end(text);
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
  return { 'Cache-Control': 'no-store', ...allowanceHeaders(context.allowance) };
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
