import type { Request, Response } from 'express';

import type { Allowance } from '../backplane/backplane.ts';
import { timeBudget } from '../deadline.ts';
import { callersError } from '../graphql/errors.ts';
import { jsonBody } from '../http/bodies.ts';
import { rateLimitHeaders } from '../http/rate-limit-headers.ts';
import { sendText } from '../http/text-answer.ts';
import type { KeptAnswers } from '../http/kept-answers.ts';
import { ANSWER_MS, type LimitName } from '../limits.ts';
import { type CompiledEndpoint, namesAt, pathPattern } from './compile.ts';
import type { Data } from './endpoint.ts';
import { variablesOf } from './variables.ts';

/** What the router needs of a request's context; the rest is between the schema and its resolvers. */
export interface RestContext {
  admit(limit: LimitName, asked: string): Promise<void>;
  /** Throws what `admit` would have thrown had it looked up a key that it let through. */
  confirm(): Promise<void>;
  /** The same request without its key. */
  forEverybody(): RestContext;
  readonly allowance: Allowance | null;
}

/** What endpoints are answered with. */
export interface AnsweringDeps {
  readonly newContext: (request: Request) => RestContext;
  readonly kept: KeptAnswers;
}

/** Who asks an endpoint, and for what. */
interface Asked {
  readonly context: RestContext;
  readonly variables: Data;
}

/** Counts the request; every limited answer says what is left. */
export async function admit(
  deps: AnsweringDeps,
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
 * Answers a request for an endpoint. Authentication and limits come before the body is read, which is not waiting for the database. A key that the statement
 * of a submission looks up itself is confirmed before anything else is refused to it.
 */
export async function answerWith(
  endpoint: CompiledEndpoint,
  deps: AnsweringDeps,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const budget = timeBudget(ANSWER_MS);
  const counted = { limit: endpoint.limit, asked: `${endpoint.method} ${endpoint.path}` };
  const context = await budget.run(() => admit(deps, counted, { request, response }));
  let data: Data;
  let variables: Data;
  try {
    const hasBody = endpoint.parameters.some(({ source }) => source.kind === 'body');
    const body = hasBody ? await jsonBody(request, response) : {};
    variables = variablesOf(endpoint, request, body);
    const asked = { context, variables };
    if (endpoint.kept !== undefined) {
      await sendKept(endpoint, deps, { request, response, asked });
      return;
    }
    data = await budget.run(() => run(endpoint, asked));
  } catch (error) {
    await budget.run(() => confirm(context, response));
    throw error;
  }
  response.set(endpoint.answerHeaders?.(data) ?? {}).status(endpoint.successOf?.(data) ?? endpoint.success);
  if (endpoint.text !== undefined)
    sendText(response, { contentType: endpoint.text.contentType, text: endpoint.text.of(data) });
  else if (endpoint.method === 'GET') sendText(response, { text: JSON.stringify(bodyOf(endpoint, data, variables)) });
  else sendOnce(response, bodyOf(endpoint, data, variables));
}

async function sendKept(
  endpoint: CompiledEndpoint,
  deps: AnsweringDeps,
  { request, response, asked }: { request: Request; response: Response; asked: Asked },
): Promise<void> {
  const { bytes, text, etag } = await deps.kept.answer(request.originalUrl, {
    dependsOn: endpoint.kept?.until ?? [],
    quickRoute: { route: pathPattern(endpoint.path), limit: endpoint.limit },
    // Whoever asks first must not leave what it alone sees to the others.
    make: () => makeKept(endpoint, { ...asked, context: asked.context.forEverybody() }),
  });
  sendText(response, { text: text ?? bytes.toString('latin1'), encoding: 'latin1', etag });
}

async function makeKept(endpoint: CompiledEndpoint, asked: Asked) {
  const data = await run(endpoint, asked);
  return {
    body: JSON.stringify(bodyOf(endpoint, data, asked.variables)),
    forGood: endpoint.kept?.forGood?.(data) ?? false,
  };
}

/** The body that an answer has of this data. */
export function bodyOf({ shape }: CompiledEndpoint, data: Data, variables: Data): unknown {
  if (shape !== undefined) return shape.apply(data, variables);
  return 'body' in data ? data['body'] : data;
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

/** Executes the endpoint's document; throws the first of its errors, in the words of the endpoint. */
export async function run(endpoint: CompiledEndpoint, { context, variables }: Asked): Promise<Data> {
  const { operation, missing } = endpoint;
  const coerced = operation.coerced(variables);
  if (coerced === null) throw new Error(`${endpoint.path} let variables pass that its document does not take`);
  const { data, errors } = await operation.execute({ context, variables: coerced });
  const [error] = errors ?? [];
  if (error) throw callersError(error).translated(namesAt(endpoint));
  if (!data) throw new Error('A document was executed without data and without errors');
  if (missing && Object.values(data)[0] === null) throw missing(variables);
  return data;
}

function setRateLimitHeaders(response: Response, allowance: Allowance | null): void {
  if (allowance !== null) response.set(rateLimitHeaders(allowance));
}
