import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { steadyMs } from '../clock.ts';
import { withDeadline } from '../deadline.ts';
import {
  bodyOf,
  type Counted,
  JSON_TYPE,
  type QuickExchange,
  quickSender,
  type QuickSenderDeps,
  rateLimitHeaders,
  type Watched,
} from '../http/quick-exchange.ts';
import { errorAnswer } from '../http/errors.ts';
import type { KeptAnswer, KeptAnswers } from '../http/kept-answers.ts';
import type { RequestWatch } from '../http/request-log.ts';
import { asRequest } from '../request-id.ts';
import type { QuickListener } from '../http/server.ts';
import { ANSWER_MS } from '../limits.ts';
import { ownKey } from './answering.ts';

/** Whose key a request seems to carry. */
interface PresumedAgent {
  /** The agent that the key was last found to be of. */
  readonly id: number;
  /** Whether the key is still of that agent, which is asked of the database. */
  readonly holds: () => Promise<boolean>;
}

interface QuickAnswersDeps extends QuickSenderDeps {
  readonly kept: KeptAnswers;
  readonly watch: RequestWatch;
  readonly counted: Pick<Counted, 'spend'>;
  /** Null where the key was not found to be anybody's before. */
  readonly presumed: (request: IncomingMessage) => PresumedAgent | null;
  readonly etagOf: (text: string, encoding: 'utf8') => string;
  /** Called with what the caller must not see: the cause of an internal error. */
  readonly report: (error: unknown) => void;
}

/** As this service writes them. */
const ONE_WEAK_TAG = /^W\/"[^",]*"$/;

/**
 * The answers that `kept` holds under a request's own address, with all that the router's answers carry: id, limits,
 * headers, ETag, log line, measures; those for an agent alone once its key was found to hold. Express, its routes and their
 * helpers cost three times what sending the bytes does. A request that spends more than its budget, or asks by an unusual
 * condition, is left to the router.
 */
export function quickAnswers({ kept, watch, counted, presumed, ...deps }: QuickAnswersDeps): QuickListener {
  const send = quickSender({ ...deps, watch });
  const answer = async ({ request, response }: QuickExchange, { began, found, agentId }: Found): Promise<boolean> => {
    const ready = found instanceof Promise ? await found : found;
    const quickRoute = ready?.quickRoute ?? null;
    const status = ready === null ? null : statusFor(request.headers, ready.etag);
    if (ready === null || quickRoute === null || status === null) return false;
    const { isWithin, allowance } = await counted.spend(request, quickRoute.limits, agentId);
    if (!isWithin) return false;
    const watched = { id: watch.idOf(request), route: quickRoute.route, began };
    const content = status === 304 ? null : { type: JSON_TYPE, ...bodyOf(ready) };
    const headers = { ...ready.headers, ...rateLimitHeaders(allowance) };
    send({ request, response }, watched, { status, headers, etag: ready.etag, content });
    return true;
  };
  const refuse = (exchange: QuickExchange, watched: Watched, error: unknown): void => {
    const { status, headers, body } = errorAnswer(error, deps.report);
    const text = JSON.stringify(body);
    const content = { type: JSON_TYPE, body: text };
    send(exchange, watched, { status, headers, etag: deps.etagOf(text, 'utf8'), content });
  };
  const answerOwn = (exchange: QuickExchange, key: string, agent: PresumedAgent): Promise<boolean> | null => {
    const { request } = exchange;
    const found = kept.current(key);
    if (found === null || found instanceof Promise || found.quickRoute === null) return null;
    if (statusFor(request.headers, found.etag) === null) return null;
    const watched = { id: watch.idOf(request), route: found.quickRoute.route, began: steadyMs() };
    return asRequest(watched.id, async () => {
      try {
        if (!(await withDeadline(ANSWER_MS, agent.holds))) return false;
      } catch (error) {
        refuse(exchange, watched, error);
        return true;
      }
      // What has changed while the key was looked up makes the answer void.
      return answer(exchange, { began: watched.began, found: kept.current(key), agentId: agent.id });
    });
  };
  return (request, response) => {
    const { method, url } = request;
    if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return null;
    const found = kept.current(url);
    if (found !== null) return answer({ request, response }, { began: steadyMs(), found });
    const agent = presumed(request);
    return agent === null ? null : answerOwn({ request, response }, ownKey(url, agent.id), agent);
  };
}

/** An answer that may hold, and whose budget it spends where that is an agent's. */
interface Found {
  readonly began: number;
  readonly found: KeptAnswer | Promise<KeptAnswer | null> | null;
  readonly agentId?: number;
}

/** 304 where the caller has these bytes; null where its condition takes more than comparing two texts. */
function statusFor(headers: IncomingHttpHeaders, etag: string): 200 | 304 | null {
  const known = headers['if-none-match'];
  if (known === undefined) return 200;
  if (headers['cache-control'] !== undefined || !ONE_WEAK_TAG.test(known)) return null;
  return known === etag ? 304 : 200;
}
