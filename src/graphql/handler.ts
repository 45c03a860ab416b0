import type { IncomingMessage } from 'node:http';

import { type ApolloServer, HeaderMap } from '@apollo/server';
import { GraphQLError } from 'graphql';

import { timeBudget } from '../deadline.ts';
import { unreadable } from '../http/bodies.ts';
import { allowanceHeaders } from '../http/budget-headers.ts';
import { statusOf } from '../http/errors.ts';
import { type Answer, type Exchange, type Handler, pathOf, type Respond } from '../http/exchange.ts';
import type { AnswerCache } from '../http/answer-cache.ts';
import { isPreflight } from '../http/origins.ts';
import { ANSWER_MS, asksForSchema, QUERY_BYTES } from '../limits.ts';
import type { Context } from '../resolvers/context.ts';
import { DomainError } from '../rules/errors.ts';
import { payFor } from './cost-budget.ts';
import { cachePolicies, type CachePolicyOf } from './cache-policy.ts';
import { excessOf, parseDocument } from './document-limits.ts';
import type { Documents } from './documents.ts';
import type { ErrorFormatter } from './errors.ts';
import { wantsIde } from './ide.ts';
import { type Asked, askedIn, badRequest, mediaTypeFor, type Sent, sentIn } from './request.ts';

interface GraphqlDeps {
  readonly apollo: ApolloServer<Context>;
  readonly documents: Documents;
  readonly format: ErrorFormatter;
  readonly cache: AnswerCache;
  readonly newContext: (request: IncomingMessage) => Context;
  readonly respond: Respond;
}

/** Where GraphQL is served. */
export const PATH = '/graphql';
const METHODS: readonly string[] = ['GET', 'POST'];

/**
 * `/graphql`: GraphQL over HTTP. The budget of requests is spent before the body is read. A document that is known is answered
 * from what is kept, or executed; any other goes to Apollo, which judges it and has it executed. Every refusal is a GraphQL error.
 */
export function graphqlHandler(deps: GraphqlDeps): Handler {
  const policyOf = cachePolicies();
  return (exchange) => {
    const { request } = exchange;
    const path = pathOf(request);
    if ((path !== PATH && path !== `${PATH}/`) || isPreflight(request) || wantsIde(request)) return null;
    return deps.respond(exchange, PATH, () => answered({ ...deps, policyOf }, exchange));
  };
}

type Deps = GraphqlDeps & { readonly policyOf: CachePolicyOf };

async function answered(deps: Deps, exchange: Exchange): Promise<Answer> {
  const { request } = exchange;
  const inTime = timeBudget(ANSWER_MS).run;
  let context: Context | undefined;
  let answer: Answer;
  try {
    refuseMethod(request);
    const caller = deps.newContext(request);
    context = caller;
    await inTime(() => caller.admit('graphqlRequest', PATH));
    const sent = await sentIn(exchange);
    answer = await inTime(() => answerTo(deps, caller, { sent, request }));
  } catch (error) {
    answer = refusal(error, deps.format);
  }
  // Some answers hold a key: none is to be kept, and an ETag would only help to ask for one again.
  const always = { 'Cache-Control': 'no-store', Vary: 'Accept', ...allowanceHeaders(context?.allowance ?? null) };
  return { ...answer, headers: { ...answer.headers, ...always }, etag: null };
}

function refuseMethod({ method = '' }: IncomingMessage): void {
  if (METHODS.includes(method)) return;
  throw badRequest(`${PATH} takes ${METHODS.join(', ')}, not ${method}.`, 405);
}

interface Request {
  readonly sent: Sent;
  readonly request: IncomingMessage;
}

async function answerTo(deps: Deps, context: Context, { sent, request }: Request): Promise<Answer> {
  if (sent.query !== null && asksForSchema(sent.query)) await context.admit('introspection', 'introspection');
  const type = mediaTypeFor(request.headers.accept);
  const asked = type === null ? null : askedIn(sent, deps.documents);
  if (asked === null) return answerOfApollo(deps, context, { sent, request });
  const answer = (await cachedAnswer(deps, context, asked)) ?? (await executed(deps, context, asked));
  return { ...answer, contentType: `${type}; charset=utf-8` };
}

/**
 * Null for what is executed by itself each time, and where one of its budgets is spent. What is ready costs nothing; for all
 * else is paid here.
 */
async function cachedAnswer({ cache, policyOf, format }: Deps, context: Context, asked: Asked): Promise<Answer | null> {
  const policy = context.authorization === undefined ? policyOf(asked.operation, asked.variables) : null;
  const ready = policy === null ? null : await cache.current(asked.key);
  if (ready === null) await payFor(context, asked.operation, asked.variables);
  if (policy === null || !(await context.prepay(policy.limits))) return null;
  const produce = async () => {
    const { body, hasErrors } = await textOf(asked, context.forEverybody(), format);
    return { body, immutable: false, uncacheable: hasErrors };
  };
  const { bytes, text } = ready ?? (await cache.answer(asked.key, { dependsOn: policy.dependsOn, produce }));
  return { status: 200, headers: {}, ...(text === null ? { body: bytes } : { body: text, encoding: 'latin1' }) };
}

async function executed({ format }: Deps, context: Context, asked: Asked): Promise<Answer> {
  const { body } = await textOf(asked, context, format);
  return { status: 200, headers: {}, body };
}

async function textOf({ operation, variables, cost }: Asked, context: Context, format: ErrorFormatter) {
  const { data, errors } = await operation.execute({ context, variables });
  // As Apollo writes it.
  const body = `${JSON.stringify({ errors: errors?.map(format), data, extensions: { cost } })}\n`;
  return { body, hasErrors: errors !== undefined };
}

/** Set beside every answer, or by its body. */
const OWN_HEADERS = new Set(['cache-control', 'content-type', 'content-length', 'vary']);

async function answerOfApollo({ apollo }: Deps, context: Context, { sent, request }: Request): Promise<Answer> {
  refuseLarge(sent);
  const headers = new HeaderMap();
  for (const [name, value = ''] of Object.entries(request.headers)) headers.set(name, String(value));
  const { method, search, body } = sent;
  const found = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method, headers, search, body },
    context: async () => seenThrough(context),
  });
  if (found.body.kind !== 'complete') throw new Error('Nothing is answered in parts');
  const contentType = found.headers.get('content-type');
  return {
    status: found.status ?? 200,
    headers: Object.fromEntries([...found.headers].filter(([name]) => !OWN_HEADERS.has(name))),
    body: found.body.string,
    ...(contentType === undefined ? {} : { contentType }),
  };
}

/** Apollo copies a context's own properties: so it gets one without any, in which later changes are still seen. */
function seenThrough(context: Context): Context {
  const empty: Context = Object.create(context);
  return empty;
}

/** Apollo validates whatever it can parse, however long that takes. Apollo reports what cannot be parsed. */
function refuseLarge({ query }: Sent): void {
  try {
    if (query !== null) parseDocument(query);
  } catch (error) {
    if (!(error instanceof GraphQLError) || excessOf(error) !== undefined) throw error;
  }
}

function refusal(error: unknown, format: ErrorFormatter): Answer {
  const status = httpStatusOf(error);
  const body = JSON.stringify({ errors: [format(unreadable(error, QUERY_BYTES) ?? error)] });
  return { status, headers: status === 405 ? { Allow: METHODS.join(', ') } : {}, body };
}

/**
 * Here nothing has been answered yet, so that the domain's errors have the status that they have over REST. What the body parser
 * throws has a status of its own.
 */
function httpStatusOf(error: unknown): number {
  if (error instanceof DomainError) return statusOf(error.reason);
  const http: unknown = error instanceof GraphQLError ? error.extensions['http'] : error;
  const status = typeof http === 'object' && http !== null && 'status' in http ? http.status : undefined;
  return typeof status === 'number' ? status : 500;
}
