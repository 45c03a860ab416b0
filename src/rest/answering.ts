import type { Request, Response } from 'express';

import type { Allowance } from '../backplane/backplane.ts';
import { timeBudget } from '../deadline.ts';
import { callersError } from '../graphql/errors.ts';
import { jsonBody } from '../http/bodies.ts';
import { JSON_TYPE, rateLimitHeaders } from '../http/quick-exchange.ts';
import type { KeptAnswers } from '../http/kept-answers.ts';
import { ANSWER_MS, type LimitName } from '../limits.ts';
import { type CompiledEndpoint, namesAt, pathPattern } from './compile.ts';
import type { Data } from './endpoint.ts';
import { type Asked, variablesOf } from './variables.ts';

/** What the router needs of a request's context; the rest is between the schema and its resolvers. */
export interface RestContext {
  admit(limit: LimitName, asked: string, uses?: number): Promise<void>;
  /** Throws what `admit` would have thrown had it looked up a key that it let through. */
  confirm(): Promise<void>;
  /** The agent whose key the request carries, or null. */
  viewer(): Promise<{ readonly id: number } | null>;
  /** The same request without its key. */
  forEverybody(): RestContext;
  readonly allowance: Allowance | null;
}

/** What endpoints are answered with. */
export interface AnsweringDeps<Incoming> {
  readonly newContext: (request: Incoming) => RestContext;
  readonly kept: KeptAnswers;
}

/** A request for an endpoint, before anything is decided about it. */
export interface Exchange {
  readonly context: RestContext;
  /** Its parameters; called once it is admitted, and throws what they are refused for. */
  readonly asked: () => Asked | Promise<Asked>;
  /** Does what waits for the database, by the caller's deadline. */
  readonly inTime: <T>(work: () => T) => T;
}

/** An answer before it is sent, without the headers that depend on budgets. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** How the text's characters become bytes; UTF-8 where it is unset. */
  readonly encoding?: 'latin1';
  /** Unset: that of the text. Null: it has none, since it is for its caller alone. */
  readonly etag?: string | null;
  /** JSON unless given. */
  readonly contentType?: string;
}

/** Counts the request; every limited answer says what is left. */
export async function admit(
  deps: Pick<AnsweringDeps<Request>, 'newContext'>,
  { limit, asked }: { limit: LimitName; asked: string },
  { request, response }: { request: Request; response: Response },
): Promise<RestContext> {
  const context = deps.newContext(request);
  try {
    await context.admit(limit, asked);
  } finally {
    response.set(rateLimitHeaders(context.allowance));
  }
  return context;
}

/** Answers a request that came to the router. */
export async function answerWith(
  endpoint: CompiledEndpoint,
  deps: AnsweringDeps<Request>,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const context = deps.newContext(request);
  const asked = async (): Promise<Asked> => ({
    url: request.originalUrl,
    headers: request.headers,
    path: request.params,
    body: takesBody(endpoint) ? await jsonBody(request, response) : {},
  });
  let answer: Answer;
  try {
    answer = await answerTo(endpoint, deps.kept, { context, asked, inTime: timeBudget(ANSWER_MS).run });
  } finally {
    response.set(rateLimitHeaders(context.allowance));
  }
  response.set(answer.headers).status(answer.status);
  if (answer.etag === null) response.type('json').end(answer.text);
  else sendText(response, answer);
}

export function takesBody({ parameters }: CompiledEndpoint): boolean {
  return parameters.some(({ source }) => source.kind === 'body');
}

/**
 * Works out an endpoint's answer. Authentication and limits come before the body is read, which is not waiting for the database. A key
 * that the statement of a submission looks up itself is confirmed before anything else is refused to it.
 */
export async function answerTo(
  endpoint: CompiledEndpoint,
  kept: KeptAnswers,
  { context, asked, inTime }: Exchange,
): Promise<Answer> {
  await inTime(() => context.admit(endpoint.limit, `${endpoint.method} ${endpoint.path}`));
  try {
    const found = await asked();
    const variables = variablesOf(endpoint, found);
    if (endpoint.kept !== undefined)
      return await inTime(() => keptAnswer(endpoint, kept, { context, variables, url: found.url }));
    const data = await inTime(() => run(endpoint, { context, variables }));
    return freshAnswer(endpoint, data, variables);
  } catch (error) {
    await inTime(() => context.confirm());
    throw error;
  }
}

function freshAnswer(endpoint: CompiledEndpoint, data: Data, variables: Data): Answer {
  const headers = endpoint.answerHeaders?.(data) ?? {};
  const status = endpoint.successOf?.(data) ?? endpoint.success;
  if (endpoint.text !== undefined)
    return { status, headers, text: endpoint.text.of(data), contentType: endpoint.text.contentType };
  const text = JSON.stringify(bodyOf(endpoint, data, variables));
  if (endpoint.method === 'GET') return { status, headers, text };
  // The answer to a POST is for its caller alone, and may hold a key: it must not be cached, and has no ETag.
  return { status, headers: { ...headers, 'Cache-Control': 'no-store' }, text, etag: null };
}

/** Who asks an endpoint, and for what. */
interface Question {
  readonly context: RestContext;
  readonly variables: Data;
}

async function keptAnswer(
  endpoint: CompiledEndpoint,
  kept: KeptAnswers,
  { url, ...question }: Question & { readonly url: string },
): Promise<Answer> {
  const isOwn = endpoint.kept?.of === 'viewer';
  const key = isOwn ? ownKey(url, (await question.context.viewer())?.id ?? null) : url;
  // Whoever asks first must not leave what it alone sees to the others.
  const context = isOwn ? question.context : question.context.forEverybody();
  const { bytes, text, etag } = await kept.answer(key, {
    dependsOn: endpoint.kept?.until ?? [],
    quickRoute: { route: pathPattern(endpoint.path), limits: [endpoint.limit] },
    make: () => makeKept(endpoint, { ...question, context }),
  });
  return { status: 200, headers: {}, text: text ?? bytes.toString('latin1'), encoding: 'latin1', etag };
}

/** Under what an agent's own answer to an address is kept: no address has a space in it. */
export function ownKey(url: string, agentId: number | null): string {
  return `${url} of ${agentId}`;
}

async function makeKept(endpoint: CompiledEndpoint, question: Question) {
  const data = await run(endpoint, question);
  return {
    body: JSON.stringify(bodyOf(endpoint, data, question.variables)),
    forGood: endpoint.kept?.forGood?.(data) ?? false,
  };
}

/** The body that an answer has of this data. */
export function bodyOf({ shape }: CompiledEndpoint, data: Data, variables: Data): unknown {
  if (shape !== undefined) return shape.apply(data, variables);
  return 'body' in data ? data['body'] : data;
}

/** Executes the endpoint's document; throws the first of its errors, in the words of the endpoint. */
export async function run(endpoint: CompiledEndpoint, { context, variables }: Question): Promise<Data> {
  const { operation, missing } = endpoint;
  const coerced = operation.coerced(variables);
  if (coerced === null) throw new Error(`${endpoint.path} let variables pass that its document does not take`);
  const { data, errors } = await operation.execute({ context, variables: coerced, isOwn: true });
  const [error] = errors ?? [];
  if (error) throw callersError(error).translated(namesAt(endpoint));
  if (!data) throw new Error('A document was executed without data and without errors');
  if (missing && Object.values(data)[0] === null) throw missing(variables);
  return data;
}

/**
 * Sends what Express's `json` or `send` would send, or its 304. They make a buffer of the text, which Node sends apart from the
 * head; head and text as one string take one write, which costs half as much.
 */
function sendText(response: Response, { text, contentType = JSON_TYPE, encoding, etag }: Answer): void {
  const { req: request, app } = response;
  response.setHeader('ETag', etag ?? app.get('etag fn')(text, encoding));
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(text, encoding));
  if (request.method === 'HEAD') response.end();
  else response.end(text, encoding ?? 'utf8');
}
