import type { IncomingMessage } from 'node:http';

import { jsonBody } from '../http/bodies.ts';
import { rateLimitHeaders } from '../http/budget-headers.ts';
import { errorAnswer, methodRefused } from '../http/errors.ts';
import { type Answer, type Exchange, type Handler, pathOf, type Respond, type RunInTime } from '../http/exchange.ts';
import type { AnswerCache } from '../http/answer-cache.ts';
import { isPreflight } from '../http/origins.ts';
import { answerTo, type RestContext } from './answering.ts';
import type { Table } from './compile.ts';
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
    return deps.respond(exchange, route.pattern, (inTime) => answerRequest(deps, { exchange, path, route, inTime }));
  };
}

interface RoutedRequest {
  readonly exchange: Exchange;
  readonly path: string;
  readonly route: Route;
  readonly inTime: RunInTime;
}

function answerRequest(
  { newContext, cache, report }: RestDeps,
  { exchange, path, route, inTime }: RoutedRequest,
): Answer | Promise<Answer> {
  const { request } = exchange;
  const { method = '', url = '', headers } = request;
  const endpoint = route.rows.get(method === 'HEAD' ? 'GET' : method);
  if (endpoint === undefined) {
    const { error, headers: allowed } = methodRefused({ path, method }, route.rows.keys());
    const refused = refusal(error, report);
    return { ...refused, headers: { ...refused.headers, ...allowed } };
  }
  let context: RestContext | undefined;
  const finished = (answer: Answer): Answer => {
    const allowance = context?.allowance ?? null;
    if (allowance === null && endpoint.deprecated.length === 0) return answer;
    const added = { ...rateLimitHeaders(allowance), ...deprecationHeaders(endpoint.deprecated, url) };
    return { ...answer, headers: { ...answer.headers, ...added } };
  };
  const refused = (error: unknown): Answer => finished(inTime(() => refusal(error, report)));
  try {
    context = newContext(request);
    const bodyOf = endpoint.fields.length > 0 ? () => jsonBody(exchange) : () => NO_BODY;
    const readParts = async () => ({ url, headers, path: route.parametersOf(path), body: await bodyOf() });
    const answer = answerTo(endpoint, cache, { context, url, readParts, inTime });
    return answer instanceof Promise ? answer.then(finished, refused) : finished(answer);
  } catch (error) {
    return refused(error);
  }
}

function refusal(error: unknown, report: (error: unknown) => void): Answer {
  const { status, headers, body } = errorAnswer(error, report);
  return { status, headers, body: JSON.stringify(body) };
}
