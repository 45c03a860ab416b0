import { type NextFunction, type Request, type Response, Router } from 'express';
import { execute, GraphQLError, type GraphQLSchema } from 'graphql';

import type { Allowance } from '../backplane/limiter.ts';
import { callersError } from '../graphql-errors.ts';
import { ANSWER_MS, type LimitName } from '../limits.ts';
import { patience, within } from '../patience.ts';
import { DomainError } from '../rules/errors.ts';
import { compile, type CompiledEndpoint } from './compile.ts';
import type { Data, Endpoint } from './endpoint.ts';
import { readingError, STATUS_OF } from './errors.ts';
import { jsonBody } from './json-body.ts';
import { variablesOf } from './parameters.ts';

/** What the router needs of a request's context; the rest is between the schema and its resolvers. */
interface RestContext {
  admit(limit: LimitName): Promise<void>;
  readonly allowance: Allowance | null;
}

/** A GET whose answer is written bit by bit: it has no document, but limits, refusals and errors as every endpoint. */
export interface StreamRoute {
  readonly path: string;
  readonly limit: LimitName;
  /** Throws for a request that it does not take, before the first byte. */
  readonly answer: (request: Request, response: Response) => Promise<void>;
}

export interface RestNeeds {
  readonly schema: GraphQLSchema;
  readonly streams: readonly StreamRoute[];
  readonly newContext: (request: Request) => RestContext;
  /** Called with what the caller must not see: the cause of an internal error. */
  readonly report: (error: unknown) => void;
}

/** The routes of the table. A fixed path comes before one whose parameter would match it. */
export function restRouter(endpoints: readonly Endpoint[], needs: RestNeeds): Router {
  const router = Router({ caseSensitive: true });
  const compiled = endpoints.map((endpoint) => compile(endpoint, needs.schema));
  const byPath = Map.groupBy(compiled, ({ path }) => path);
  const paths = [...byPath.keys()].toSorted((left, right) => Number(left.includes('{')) - Number(right.includes('{')));
  for (const path of paths) {
    const rows = byPath.get(path) ?? [];
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const row of rows) {
      const answer = (request: Request, response: Response) => answerWith(row, needs, { request, response });
      if (row.method === 'GET') route.get(answer);
      else route.post(answer);
    }
    route.all(refuseMethod(rows));
  }
  for (const stream of needs.streams) {
    const answer = (request: Request, response: Response) => streamTo(stream, needs, { request, response });
    router
      .route(stream.path)
      .get(answer)
      .all(refuseMethod([{ method: 'GET' }]));
  }
  router.use((request) => {
    throw new DomainError('NOT_FOUND', `There is no endpoint ${request.method} ${request.path}.`);
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else sendError(response, error, needs.report);
  });
  return router;
}

function refuseMethod(rows: readonly Pick<Endpoint, 'method'>[]) {
  const allowed = rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return (request: Request, response: Response): void => {
    response
      .set('Allow', allowed)
      .status(405)
      .json({ error: `${request.path} takes ${allowed}, not ${request.method}.` });
  };
}

async function streamTo(
  { limit, answer }: StreamRoute,
  needs: RestNeeds,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  await within(ANSWER_MS, () => admit(needs, limit, { request, response }));
  if (request.method === 'HEAD') response.end();
  else await answer(request, response);
}

/** Counts the request; every limited answer tells what is left. */
async function admit(
  needs: RestNeeds,
  limit: LimitName,
  { request, response }: { request: Request; response: Response },
): Promise<RestContext> {
  const context = needs.newContext(request);
  try {
    await context.admit(limit);
  } finally {
    tellAllowance(response, context.allowance);
  }
  return context;
}

/** Authentication and limits come before the body is read, which is not waiting for the database. */
async function answerWith(
  endpoint: CompiledEndpoint,
  needs: RestNeeds,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const waiting = patience(ANSWER_MS);
  const context = await waiting.spend(() => admit(needs, endpoint.limit, { request, response }));
  const hasBody = endpoint.parameters.some(({ source }) => source.kind === 'body');
  const body = hasBody ? await jsonBody(request, response) : {};
  const variables = variablesOf(endpoint, request, body);
  const data = await waiting.spend(() => run(endpoint, needs, { context, variables }));
  const answer = 'body' in data && endpoint.shape === undefined ? data['body'] : (endpoint.shape?.(data) ?? data);
  response
    .set(endpoint.answerHeaders?.(data) ?? {})
    .status(endpoint.success)
    .json(answer);
}

async function run(
  { parsed, missing }: CompiledEndpoint,
  { schema }: RestNeeds,
  { context, variables }: { context: RestContext; variables: Data },
): Promise<Data> {
  const { data, errors } = await execute({
    schema,
    document: parsed,
    contextValue: context,
    variableValues: variables,
  });
  const [error] = errors ?? [];
  if (error) throw error;
  if (!data) throw new Error('A document was executed without data and without errors');
  if (missing && Object.values(data)[0] === null) throw new DomainError('NOT_FOUND', missing(variables));
  return data;
}

function tellAllowance(response: Response, allowance: Allowance | null): void {
  if (allowance === null) return;
  response.set('X-RateLimit-Limit', String(allowance.limit)).set('X-RateLimit-Remaining', String(allowance.remaining));
}

/** Answers an error as `{"error": ...}`; what the caller must not see is reported instead. */
export function sendError(response: Response, error: unknown, report: (error: unknown) => void): void {
  const unread = readingError(error);
  if (unread) {
    response.status(unread.status).json({ error: unread.message });
    return;
  }
  const told = error instanceof DomainError ? error : callersError(asGraphQLError(error));
  if (told.code === 'INTERNAL') report(told.cause ?? error);
  if (told.retryAfter !== undefined) response.set('Retry-After', String(told.retryAfter));
  response.status(STATUS_OF[told.code]).json({ error: told.message });
}

function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError('', { originalError });
}
