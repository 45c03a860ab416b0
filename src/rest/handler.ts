import type { IncomingMessage } from 'node:http';

import { timeBudget, withDeadline } from '../deadline.ts';
import { jsonBody } from '../http/bodies.ts';
import { rateLimitHeaders } from '../http/budget-headers.ts';
import { errorAnswer } from '../http/errors.ts';
import { type Answer, type Exchange, type Handler, pathOf, type Respond } from '../http/exchange.ts';
import type { AnswerCache } from '../http/answer-cache.ts';
import { isPreflight } from '../http/origins.ts';
import { ANSWER_MS } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import { answerTo, type RestContext, takesBody } from './answering.ts';
import type { Table } from './compile.ts';
import type { Data } from './endpoint.ts';
import { type Route, routesOf } from './routes.ts';

interface RestDeps {
  readonly newContext: (request: IncomingMessage) => RestContext;
  readonly cache: AnswerCache;
  readonly respond: Respond;
  /** Called with what the caller must not see: the cause of an internal error. */
  readonly report: (error: unknown) => void;
}

const NO_BODY: Data = {};

/** Where nothing is waited for but the database, one deadline holds for all. */
const atOnce = <T>(work: () => T): T => work();

/** Answers requests for the paths of the table, whatever their method; preflights excepted. */
export function restHandler(table: Table, deps: RestDeps): Handler {
  const routeOf = routesOf(table);
  return (exchange) => {
    const { request } = exchange;
    const path = pathOf(request);
    const route = routeOf(path);
    if (route === null || isPreflight(request)) return null;
    return deps.respond(exchange, route.pattern, () => answered(deps, exchange, { path, route }));
  };
}

async function answered(
  { newContext, cache, report }: RestDeps,
  exchange: Exchange,
  { path, route }: { readonly path: string; readonly route: Route },
): Promise<Answer> {
  const { request } = exchange;
  const { method = '', url = '', headers } = request;
  const endpoint = route.rows.get(method === 'HEAD' ? 'GET' : method);
  if (endpoint === undefined) return methodRefused(path, method, [...route.rows.keys()]);
  let context: RestContext | undefined;
  let answer: Answer;
  try {
    const parameters = route.parametersOf(path);
    const caller = newContext(request);
    context = caller;
    const asked = { url, headers, path: parameters, body: NO_BODY };
    answer = takesBody(endpoint)
      ? await answerTo(endpoint, cache, {
          context: caller,
          asked: async () => ({ ...asked, body: await jsonBody(exchange) }),
          inTime: timeBudget(ANSWER_MS).run,
        })
      : await withDeadline(ANSWER_MS, () =>
          answerTo(endpoint, cache, { context: caller, asked: () => asked, inTime: atOnce }),
        );
  } catch (error) {
    answer = refusal(error, report);
  }
  return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(context?.allowance ?? null) } };
}

function methodRefused(path: string, method: string, methods: readonly string[]): Answer {
  const allowed = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  const error = new DomainError('method_not_allowed', `${path} takes ${allowed}, not ${method}.`);
  const answer = refusal(error, () => {});
  return { ...answer, headers: { ...answer.headers, Allow: allowed } };
}

function refusal(error: unknown, report: (error: unknown) => void): Answer {
  const { status, headers, body } = errorAnswer(error, report);
  return { status, headers, body: JSON.stringify(body) };
}
