import type { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { GraphQLError } from 'graphql';

import { ANSWER_MS, QUERY_BYTES } from '../limits.ts';
import { within } from '../patience.ts';
import type { Context } from '../resolvers/context.ts';
import type { ErrorFormatter } from './formatted-error.ts';
import { openIde } from './ide.ts';
import { refuseTooManyTokens } from './parse-document.ts';

export interface GraphQLRoutesNeeds {
  readonly apollo: ApolloServer<Context>;
  readonly format: ErrorFormatter;
  readonly newContext: (request: Request) => Context;
}

const PATH = '/graphql';

/** `/graphql`: the IDE for browsers, GraphQL over HTTP for all others. Every refusal is a GraphQL error. */
export function graphqlRoutes({ apollo, format, newContext }: GraphQLRoutesNeeds): Router {
  const router = Router({ caseSensitive: true });
  const ide = openIde(PATH);
  router.use(ide.files);
  router.all(
    PATH,
    ide.page,
    express.json({ limit: QUERY_BYTES }),
    checkTokens,
    (_request, _response, next) => within(ANSWER_MS, next),
    expressMiddleware(apollo, { context: async ({ req }) => newContext(req) }),
  );
  router.use(PATH, (error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else sendError(response, unreadable(error), format);
  });
  return router;
}

/** Apollo's parser stops at the limit without saying how far over it the document is. */
function checkTokens(request: Request, _response: Response, next: NextFunction): void {
  const { query }: { query?: unknown } = { ...(request.method === 'GET' ? request.query : request.body) };
  if (typeof query === 'string') refuseTooManyTokens(query);
  next();
}

/** What Express's body parser throws becomes an error with the same status; all else stays as it is. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return error;
  if (error.status >= 500) return error;
  const message =
    error.status === 413
      ? `The body is too large: at most ${QUERY_BYTES / 1024} KiB are read.`
      : 'The body is not valid JSON, or its encoding or character set is broken.';
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status: error.status } } });
}

function sendError(response: Response, error: unknown, format: ErrorFormatter): void {
  response.status(statusOf(error)).json({ errors: [format(error)] });
}

function statusOf(error: unknown): number {
  const http: unknown = error instanceof GraphQLError ? error.extensions['http'] : undefined;
  const told = typeof http === 'object' && http !== null && 'status' in http ? http.status : undefined;
  return typeof told === 'number' ? told : 500;
}
