import type { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import { GraphQLError } from 'graphql';

import { ANSWER_MS, QUERY_BYTES } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import { readGraphqlBody, unreadable } from '../http/bodies.ts';
import { statusOf } from '../http/errors.ts';
import type { Context } from '../resolvers/context.ts';
import { type Admission, badRequest, sentDocument } from './admission.ts';
import type { ErrorFormatter } from './errors.ts';
import { openIde } from './ide.ts';
import { excessOf, parseDocument } from './document-limits.ts';
import { knownAnswers, type Documents } from './documents.ts';
import { DomainError } from '../rules/errors.ts';

interface GraphQLRoutesDeps {
  readonly apollo: ApolloServer<Context>;
  readonly documents: Documents;
  readonly admit: Admission;
  readonly format: ErrorFormatter;
}

/** Where GraphQL is served. */
export const PATH = '/graphql';
const METHODS: readonly string[] = ['GET', 'POST'];

/** `/graphql`: the IDE for browsers, GraphQL over HTTP for all others. Every refusal is a GraphQL error. */
export function graphqlRoutes({ apollo, documents, admit, format }: GraphQLRoutesDeps): Express {
  // Answers of GraphQL are not to be kept, some hold a key: an ETag would only help to ask for one again.
  const router = express().disable('x-powered-by').disable('etag').enable('case sensitive routing');
  const ide = openIde(PATH);
  router.use(ide.files);
  router.all(
    PATH,
    ide.page,
    refuseMethods,
    admit.request,
    readGraphqlBody,
    knownAnswers({ documents, format, contextOf: admit.contextOf }),
    admit.schema,
    refuseLarge,
    (_request, _response, next) => withDeadline(ANSWER_MS, next),
    expressMiddleware(apollo, { context: async ({ req }) => seenThrough(admit.contextOf(req)) }),
  );
  router.use(PATH, (error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else sendError(response, error, format);
  });
  return router;
}

/** Apollo copies a context's own properties: so it gets one without any, in which later changes are still seen. */
function seenThrough(context: Context): Context {
  const empty: Context = Object.create(context);
  return empty;
}

function refuseMethods({ method }: Request, response: Response, next: NextFunction): void {
  if (!METHODS.includes(method)) {
    const allowed = METHODS.join(', ');
    response.set('Allow', allowed);
    throw badRequest(`${PATH} takes ${allowed}, not ${method}.`, 405);
  }
  next();
}

/** Apollo validates whatever it can parse, however long that takes. Apollo reports what cannot be parsed. */
function refuseLarge(request: Request, _response: Response, next: NextFunction): void {
  const sent = sentDocument(request);
  try {
    if (sent !== null) parseDocument(sent.query);
  } catch (error) {
    if (!(error instanceof GraphQLError) || excessOf(error) !== undefined) throw error;
  }
  next();
}

function sendError(response: Response, error: unknown, format: ErrorFormatter): void {
  response.status(httpStatusOf(error)).json({ errors: [format(unreadable(error, QUERY_BYTES) ?? error)] });
}

/**
 * Here nothing has been answered yet, so that the domain's errors have the status that they have over REST. What Express's
 * body parser throws has a status of its own.
 */
function httpStatusOf(error: unknown): number {
  if (error instanceof DomainError) return statusOf(error.reason);
  const http: unknown = error instanceof GraphQLError ? error.extensions['http'] : error;
  const status = typeof http === 'object' && http !== null && 'status' in http ? http.status : undefined;
  return typeof status === 'number' ? status : 500;
}
