import type { IncomingMessage } from 'node:http';

import { jsonBody } from '../http/bodies.ts';
import { rateLimitHeaders } from '../http/budget-headers.ts';
import { errorAnswer, methodRefused } from '../http/errors.ts';
import { type Answer, type Exchange, type Handler, type InTime, pathOf, type Respond } from '../http/exchange.ts';
import type { AnswerCache } from '../http/answer-cache.ts';
import { isPreflight } from '../http/origins.ts';
import { answerTo, type RestContext, takesBody } from './answering.ts';
import type { CompiledEndpoint, Table } from './compile.ts';
import { deprecationHeaders } from './deprecated.ts';
import type { Data } from './endpoint.ts';
import { type Route, routesOf } from './routes.ts';

interface RestDeps {
  readonly newContext: (request: IncomingMessage) => RestContext;
  readonly cache: AnswerCache;
  readonly respond: Respond;
  readonly report: (error: unknown) => void;
}

const NO_BODY: Data = {};

export function restHandler(table: Table, deps: RestDeps): Handler {
  const routeOf = routesOf(table);
  return (exchange) => {
    const { request } = exchange;
    const path = pathOf(request);
    const route = routeOf(path);
    if (route === null || isPreflight(request)) return null;
    return deps.respond(exchange, route.pattern, (inTime) => answered(deps, { exchange, path, route, inTime }));
  };
}

interface Routed {
  readonly exchange: Exchange;
  readonly path: string;
  readonly route: Route;
  readonly inTime: InTime;
}

function answered(deps: RestDeps, routed: Routed): Answer | Promise<Answer> {
  const { route, path, exchange } = routed;
  const { method = '', url = '' } = exchange.request;
  const endpoint = route.rows.get(method === 'HEAD' ? 'GET' : method);
  if (endpoint === undefined) {
    const { error, headers: allowed } = methodRefused({ path, method }, route.rows.keys());
    const refused = refusal(error, deps.report);
    return { ...refused, headers: { ...refused.headers, ...allowed } };
  }
  return readyAnswer(endpoint, deps, { request: exchange.request, url }) ?? workedOut(deps, endpoint, routed);
}

/** The answer that needs nothing but a look into the cache; null for others. */
function readyAnswer(
  endpoint: CompiledEndpoint,
  { newContext, cache }: RestDeps,
  { request, url }: { readonly request: IncomingMessage; readonly url: string },
): Answer | null {
  if (endpoint.cached?.for !== 'everybody' || endpoint.deprecated.length > 0) return null;
  const found = cache.current(url);
  if (found === null || found instanceof Promise) return null;
  return newContext(request).isFree(endpoint.limit) ? found : null;
}

async function workedOut(
  { newContext, cache, report }: RestDeps,
  endpoint: CompiledEndpoint,
  { exchange, path, route, inTime }: Routed,
): Promise<Answer> {
  const { request } = exchange;
  const { url = '', headers } = request;
  let context: RestContext | undefined;
  let answer: Answer;
  try {
    const parameters = route.parametersOf(path);
    context = newContext(request);
    const bodyOf = takesBody(endpoint) ? () => jsonBody(exchange) : () => NO_BODY;
    answer = await answerTo(endpoint, cache, {
      context,
      url,
      readParts: async () => ({ url, headers, path: parameters, body: await bodyOf() }),
      inTime,
    });
  } catch (error) {
    answer = inTime(() => refusal(error, report));
  }
  const allowance = context?.allowance ?? null;
  if (allowance === null && endpoint.deprecated.length === 0) return answer;
  const added = { ...rateLimitHeaders(allowance), ...deprecationHeaders(endpoint.deprecated, url) };
  return { ...answer, headers: { ...answer.headers, ...added } };
}

function refusal(error: unknown, report: (error: unknown) => void): Answer {
  const { status, headers, body } = errorAnswer(error, report);
  return { status, headers, body: JSON.stringify(body) };
}
