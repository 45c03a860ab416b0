import { type Request, type Response, Router } from 'express';
import { execute, type GraphQLError, type GraphQLSchema } from 'graphql';

import type { Allowance } from '../backplane/backplane.ts';
import { callersError } from '../graphql/errors.ts';
import { jsonBody } from '../http/bodies.ts';
import { noSuchPath, sendErrors } from '../http/errors.ts';
import { ANSWER_MS, type LimitName } from '../limits.ts';
import { timeBudget, withDeadline } from '../deadline.ts';
import { DomainError } from '../rules/errors.ts';
import { compile, type CompiledEndpoint, namesAt } from './compile.ts';
import type { Data, Endpoint, StreamRoute } from './endpoint.ts';
import { variablesOf } from './variables.ts';

/** What the router deps of a request's context; the rest is between the schema and its resolvers. */
interface RestContext {
  admit(limit: LimitName, asked: string): Promise<void>;
  /** Throws what `admit` would have thrown had it looked up a key that it let through. */
  confirm(): Promise<void>;
  readonly allowance: Allowance | null;
}

interface RestDeps {
  readonly schema: GraphQLSchema;
  readonly streams: readonly StreamRoute[];
  readonly newContext: (request: Request) => RestContext;
  /** Called with what the caller must not see: the cause of an internal error. */
  readonly report: (error: unknown) => void;
}

/** The routes of the table. A fixed path comes before one whose parameter would match it. */
export function restRouter(endpoints: readonly Endpoint[], deps: RestDeps): Router {
  const router = Router({ caseSensitive: true });
  const compiled = endpoints.map((endpoint) => compile(endpoint, deps.schema));
  const byPath = Map.groupBy(compiled, ({ path }) => path);
  const paths = [...byPath.keys()].toSorted((left, right) => Number(left.includes('{')) - Number(right.includes('{')));
  for (const path of paths) {
    const rows = byPath.get(path) ?? [];
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const row of rows) {
      const answer = (request: Request, response: Response) => answerWith(row, deps, { request, response });
      if (row.method === 'GET') route.get(answer);
      else route.post(answer);
    }
    route.all(refuseMethod(rows));
  }
  for (const stream of deps.streams) {
    const answer = (request: Request, response: Response) => streamTo(stream, deps, { request, response });
    router
      .route(stream.path)
      .get(answer)
      .all(refuseMethod([{ method: 'GET' }]));
  }
  router.use(noSuchPath);
  router.use(sendErrors(deps.report));
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
  { limit, path, answer }: StreamRoute,
  deps: RestDeps,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const counted = { limit, asked: `GET ${path}` };
  await withDeadline(ANSWER_MS, () => admit(deps, counted, { request, response }));
  if (request.method === 'HEAD') response.end();
  else await answer(request, response);
}

/** Counts the request; every limited answer says what is left. */
async function admit(
  deps: RestDeps,
  { limit, asked }: { limit: LimitName; asked: string },
  { request, response }: { request: Request; response: Response },
): Promise<RestContext> {
  const context = deps.newContext(request);
  try {
    await context.admit(limit, asked);
  } finally {
    setRateLimitHeaders(response, context.allowance);
  }
  return context;
}

/**
 * Authentication and limits come before the body is read, which is not waiting for the database. A key that the statement
 * of a submission looks up itself is confirmed before anything else is refused to it.
 */
async function answerWith(
  endpoint: CompiledEndpoint,
  deps: RestDeps,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const budget = timeBudget(ANSWER_MS);
  const counted = { limit: endpoint.limit, asked: `${endpoint.method} ${endpoint.path}` };
  const context = await budget.run(() => admit(deps, counted, { request, response }));
  let data: Data;
  try {
    const hasBody = endpoint.parameters.some(({ source }) => source.kind === 'body');
    const body = hasBody ? await jsonBody(request, response) : {};
    const variables = variablesOf(endpoint, request, body);
    data = await budget.run(() => run(endpoint, deps, { context, variables }));
  } catch (error) {
    await budget.run(() => confirm(context, response));
    throw error;
  }
  const answer = 'body' in data && endpoint.shape === undefined ? data['body'] : (endpoint.shape?.(data) ?? data);
  response.set(endpoint.answerHeaders?.(data) ?? {}).status(endpoint.success);
  if (endpoint.method === 'GET') response.json(answer);
  else sendOnce(response, answer);
}

async function confirm(context: RestContext, response: Response): Promise<void> {
  try {
    await context.confirm();
  } finally {
    setRateLimitHeaders(response, context.allowance);
  }
}

/** The answer to a POST is for its caller alone, and may hold a key: it must not be cached, and has no ETag. */
function sendOnce(response: Response, answer: unknown): void {
  response.set('Cache-Control', 'no-store').type('json').end(JSON.stringify(answer));
}

async function run(
  endpoint: CompiledEndpoint,
  { schema }: RestDeps,
  { context, variables }: { context: RestContext; variables: Data },
): Promise<Data> {
  const { parsed, missing } = endpoint;
  const { data, errors } = await execute({
    schema,
    document: parsed,
    contextValue: context,
    variableValues: variables,
  });
  const [error] = errors ?? [];
  if (error) throw inWordsOf(endpoint, error);
  if (!data) throw new Error('A document was executed without data and without errors');
  if (missing && Object.values(data)[0] === null) throw new DomainError('NOT_FOUND', missing(variables));
  return data;
}

/** The same error, with the endpoint's names for what the schema calls otherwise. */
function inWordsOf(endpoint: CompiledEndpoint, error: GraphQLError): DomainError {
  const found = callersError(error);
  const { cause, retryAfter } = found;
  return new DomainError(found.code, found.messageWith(namesAt(endpoint)), {
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

function setRateLimitHeaders(response: Response, allowance: Allowance | null): void {
  if (allowance === null) return;
  response.set('X-RateLimit-Limit', String(allowance.limit)).set('X-RateLimit-Remaining', String(allowance.remaining));
}
