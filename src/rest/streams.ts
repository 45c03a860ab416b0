import { type Request, type Response, Router } from 'express';

import { withDeadline } from '../deadline.ts';
import type { LimitUse } from '../http/answer-cache.ts';
import { rateLimitHeaders } from '../http/budget-headers.ts';
import { NO_STORE } from '../http/cache-headers.ts';
import { refuseMethod, sendErrors } from '../http/errors.ts';
import { ANSWER_MS } from '../limits.ts';
import type { RestContext } from './answering.ts';
import type { StreamRoute } from './endpoint.ts';

type CountingContext = Pick<RestContext, 'admit' | 'allowance'>;

interface StreamDeps {
  readonly newContext: (request: Request) => CountingContext;
  /** Refuses other addresses. */
  readonly refuse: (request: Request) => never;
  readonly report: (error: unknown) => void;
}

export function streamRouter(streams: readonly StreamRoute[], deps: StreamDeps): Router {
  const router = Router({ caseSensitive: true });
  for (const stream of streams) {
    const answer = (request: Request, response: Response) => streamTo(stream, deps, { request, response });
    router.route(stream.path).get(answer).all(refuseMethod('GET'));
  }
  router.use(deps.refuse);
  router.use(sendErrors(deps.report));
  return router;
}

async function streamTo(
  { limit, path, answer }: StreamRoute,
  deps: Pick<StreamDeps, 'newContext'>,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  response.set(NO_STORE);
  await countRequest(deps.newContext(request), { limit, endpoint: `GET ${path}` }, response);
  await answer(request, response);
}

export async function countRequest(
  context: CountingContext,
  { limit, endpoint }: LimitUse,
  response: Response,
): Promise<void> {
  try {
    await withDeadline(ANSWER_MS, () => context.admit(limit, endpoint));
  } finally {
    response.set(rateLimitHeaders(context.allowance));
  }
}
