import type { IncomingMessage } from 'node:http';

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { GraphQLError } from 'graphql';

import { withDeadline } from '../deadline.ts';
import { allowanceHeaders } from '../http/quick-exchange.ts';
import { ANSWER_MS, asksForSchema } from '../limits.ts';
import type { Context } from '../resolvers/context.ts';
import type { SchemaAnswers } from './schema-answers.ts';

/** The media types that answers are sent as, the preferred one first. */
export const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'] as const;

export interface Admission {
  /** The request's own, whoever asks first. */
  readonly contextOf: (request: IncomingMessage) => Context;
  /** Spends the budget of requests, once however often it is called. Throws `RATE_LIMITED`. */
  readonly admit: (request: IncomingMessage) => Promise<void>;
  /** The same before the body is read, with its headers. */
  readonly request: RequestHandler;
  /** Spends the budget of documents that ask for the schema, and answers them from the prepared text where it can. */
  readonly schema: RequestHandler;
}

/** What requests for /graphql spend before their document is parsed, in budgets of their address. */
export function admission(newContext: (request: IncomingMessage) => Context, schemaAnswers: SchemaAnswers): Admission {
  const contexts = new WeakMap<IncomingMessage, Context>();
  const admitted = new WeakMap<IncomingMessage, Promise<void>>();
  const contextOf = (request: IncomingMessage): Context => {
    const context = contexts.get(request) ?? newContext(request);
    contexts.set(request, context);
    return context;
  };
  const admit = (request: IncomingMessage): Promise<void> => {
    const counted = admitted.get(request) ?? contextOf(request).admit('graphqlRequest', '/graphql');
    admitted.set(request, counted);
    return counted;
  };
  return {
    contextOf,
    admit,
    async request(request, response, next) {
      await spend(contextOf(request), response, () => admit(request));
      next();
    },
    async schema(request, response, next) {
      const sent = sentDocument(request);
      if (sent === null || !asksForSchema(sent.query)) {
        next();
        return;
      }
      await spend(contextOf(request), response, (context) => context.admit('introspection', 'introspection'));
      answerOrLeave(schemaAnswers(sent), { request, response, next });
    },
  };
}

async function spend(context: Context, response: Response, admit: (context: Context) => Promise<void>): Promise<void> {
  try {
    await withDeadline(ANSWER_MS, () => admit(context));
  } finally {
    response.set(allowanceHeaders(context.allowance));
  }
}

/** GET has rules of its own, which the usual way knows. */
function answerOrLeave(
  answer: string | null,
  { request, response, next }: { request: Request; response: Response; next: NextFunction },
): void {
  const type = request.method === 'POST' && request.accepts([...MEDIA_TYPES]);
  if (answer === null || type === false) next();
  else response.set('Content-Type', `${type}; charset=utf-8`).send(answer);
}

/** A document as a request carries it. */
interface SentDocument {
  readonly query: string;
  readonly operationName: string | null;
}

const NOTHING_ASKED =
  'There is no query. Send POST /graphql with the JSON body {"query": "{ currentRound { question } }"} and Content-Type: application/json. A browser that opens /graphql gets an IDE.';

/** The document of a request, read but not parsed; null where Apollo reports what is wrong with the request. */
export function sentDocument(request: Request): SentDocument | null {
  const fields: { query?: unknown; operationName?: unknown } = {
    ...(request.method === 'GET' ? request.query : request.body),
  };
  if (request.method === 'GET' && fields.query === undefined) throw badRequest(NOTHING_ASKED, 400);
  if (typeof fields.query !== 'string') return null;
  return {
    query: fields.query,
    operationName: typeof fields.operationName === 'string' ? fields.operationName : null,
  };
}

/** A refusal with the HTTP status that goes with it. */
export function badRequest(message: string, status: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });
}
