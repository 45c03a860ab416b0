import type { IncomingMessage } from 'node:http';

import { type ApolloServer, HeaderMap } from '@apollo/server';
import { GraphQLError } from 'graphql';

import type { Allowance } from '../backplane/backplane.ts';
import { readQuery, type SentJson, unreadable } from '../http/bodies.ts';
import { allowanceHeaders } from '../http/budget-headers.ts';
import { NO_STORE } from '../http/cache-headers.ts';
import { statusOf } from '../http/errors.ts';
import { type Answer, type Exchange, type Handler, pathOf, type Respond, type RunInTime } from '../http/exchange.ts';
import type { AnswerCache, CachedAnswer, LimitUse } from '../http/answer-cache.ts';
import { isPreflight } from '../http/origins.ts';
import { QUERY_BYTES } from '../limits.ts';
import { asksForSchema } from './document-transport.ts';
import { DomainError } from '../rules/errors.ts';
import { type Payer, payFor } from './cost-budget.ts';
import { cachePolicyOf } from './cache-policy.ts';
import { excessOf, parseDocument } from './document-limits.ts';
import type { Documents } from './documents.ts';
import type { ErrorFormatter } from './errors.ts';
import { wantsIde } from './ide.ts';
import {
  badRequest,
  compiledRequest,
  type CompiledRequest,
  mediaTypeFor,
  type ReceivedRequest,
  receivedRequest,
} from './request.ts';

interface GraphqlContext extends Payer {
  readonly caller: { readonly authorization: string | undefined };
  readonly allowance: Allowance | null;
  prepay(uses: readonly LimitUse[]): Promise<boolean>;
  forEverybody(): GraphqlContext;
}

interface GraphqlDeps {
  readonly apollo: ApolloServer<Payer>;
  readonly documents: Documents;
  readonly format: ErrorFormatter;
  readonly cache: AnswerCache;
  readonly newContext: (request: IncomingMessage) => GraphqlContext;
  readonly respond: Respond;
}

export const PATH = '/graphql';
const METHODS: readonly string[] = ['GET', 'POST'];

/** Repeated requests without a key come from the cache, known documents are executed, Apollo checks the rest. */
export function graphqlHandler(deps: GraphqlDeps): Handler {
  return (exchange) => {
    const { request } = exchange;
    const path = pathOf(request);
    if ((path !== PATH && path !== `${PATH}/`) || isPreflight(request) || wantsIde(request)) return null;
    return deps.respond(exchange, PATH, (inTime) => answerRequest(deps, exchange, inTime));
  };
}

async function answerRequest(deps: GraphqlDeps, exchange: Exchange, inTime: RunInTime): Promise<Answer> {
  const { request } = exchange;
  let context: GraphqlContext | undefined;
  let answer: Answer;
  try {
    const { method = '' } = request;
    if (!METHODS.includes(method)) throw badRequest(`${PATH} accepts ${METHODS.join(', ')}, not ${method}.`, 405);
    context = deps.newContext(request);
    await context.admit('graphqlRequest', PATH);
    const json = request.method === 'POST' ? await readQuery(exchange) : undefined;
    answer = await answerTo(deps, context, { request, json, inTime });
  } catch (error) {
    const contentType = contentTypeOf(mediaTypeFor(request.headers.accept) ?? 'application/json');
    answer = { ...inTime(() => refusal(error, deps.format)), contentType };
  }
  // Some answers contain a key.
  const always = { ...NO_STORE, Vary: 'Accept', ...allowanceHeaders(context?.allowance ?? null) };
  return { ...answer, headers: { ...answer.headers, ...always } };
}

interface Request {
  readonly request: IncomingMessage;
  readonly json: SentJson | undefined;
  readonly inTime: RunInTime;
}

async function answerTo(
  deps: GraphqlDeps,
  context: GraphqlContext,
  { request, json, inTime }: Request,
): Promise<Answer> {
  const type = mediaTypeFor(request.headers.accept);
  // Cache keys of REST are addresses, which never begin with a space.
  const key =
    json === undefined || type === null || context.caller.authorization !== undefined ? null : ` ${json.text}`;
  const ready = key === null ? null : deps.cache.current(key);
  if (ready !== null && (await context.prepay(ready.spends))) return answerFrom(ready, type);
  return inTime(() =>
    newAnswer(deps, context, { request, sent: receivedRequest(request, json), type, key, isRefused: ready !== null }),
  );
}

interface NewRequest {
  readonly request: IncomingMessage;
  readonly sent: ReceivedRequest;
  readonly type: string | null;
  readonly key: string | null;
  /** True if `prepay` found an exceeded budget: the fields use its counts, and that one throws. */
  readonly isRefused: boolean;
}

async function newAnswer(
  deps: GraphqlDeps,
  context: GraphqlContext,
  { request, sent, type, key, isRefused }: NewRequest,
) {
  const opening = sent.query !== null && asksForSchema(sent.query) ? [INTROSPECTION] : [];
  for (const { limit, endpoint } of opening) await context.admit(limit, endpoint);
  const compiled = type === null ? null : compiledRequest(sent, deps.documents);
  if (compiled === null) return answerOfApollo(deps, context, { sent, request });
  await payFor(context, compiled.operation, compiled.variables);
  const policy = key === null || isRefused ? null : cachePolicyOf(compiled.operation, compiled.variables);
  if (key === null || policy === null || !(await context.prepay(policy.spends))) {
    const { body } = await textOf(compiled, context, deps.format);
    return { status: 200, headers: {}, body, contentType: contentTypeOf(type) };
  }
  const produce = async () => {
    const { body, hasErrors } = await textOf(compiled, context.forEverybody(), deps.format);
    return { body, spends: [...opening, ...policy.spends], immutable: false, uncacheable: hasErrors };
  };
  return answerFrom(await deps.cache.answer(key, { dependsOn: policy.dependsOn, produce }), type);
}

const INTROSPECTION = { limit: 'introspection', endpoint: 'introspection' } as const;

function answerFrom({ body, encoding, compressedIn }: CachedAnswer, type: string | null): Answer {
  return { status: 200, headers: {}, body, encoding, compressedIn, contentType: contentTypeOf(type) };
}

function contentTypeOf(type: string | null): string {
  return `${type}; charset=utf-8`;
}

async function textOf(
  { operation, variables, cost }: CompiledRequest,
  context: GraphqlContext,
  format: ErrorFormatter,
) {
  const { data, errors } = await operation.execute({ context, variables });
  // Apollo's format.
  const body = `${JSON.stringify({ errors: errors?.map(format), data, extensions: { cost } })}\n`;
  return { body, hasErrors: errors !== undefined };
}

const OWN_HEADERS = new Set(['cache-control', 'content-type', 'content-length', 'vary']);

async function answerOfApollo(
  { apollo }: GraphqlDeps,
  context: GraphqlContext,
  { sent, request }: Pick<NewRequest, 'sent' | 'request'>,
): Promise<Answer> {
  refuseLarge(sent);
  const headers = new HeaderMap();
  for (const [name, value = ''] of Object.entries(request.headers)) headers.set(name, String(value));
  const { method, search, body } = sent;
  // There are no cookies, and Apollo refuses changes by GET: pages of other sites may read.
  if (method === 'GET') headers.set('apollo-require-preflight', 'GET');
  const found = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method, headers, search, body },
    context: async () => context,
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

/** Apollo validates everything it can parse, however long that takes, and reports syntax errors itself. */
function refuseLarge({ query }: ReceivedRequest): void {
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

/** Nothing has been sent yet, so domain errors have their REST status. Errors of the body parser have their own. */
function httpStatusOf(error: unknown): number {
  if (error instanceof DomainError) return statusOf(error.reason);
  const http: unknown = error instanceof GraphQLError ? error.extensions['http'] : error;
  const status = typeof http === 'object' && http !== null && 'status' in http ? http.status : undefined;
  return typeof status === 'number' ? status : 500;
}
