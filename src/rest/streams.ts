import { type Request, type Response, Router } from 'express';

import { withDeadline } from '../deadline.ts';
import { rateLimitHeaders } from '../http/budget-headers.ts';
import { noSuchPath, refuseMethod, sendErrors } from '../http/errors.ts';
import { ANSWER_MS } from '../limits.ts';
import type { RestContext } from './answering.ts';
import type { StreamRoute } from './endpoint.ts';

interface StreamDeps {
  readonly newContext: (request: Request) => RestContext;
  /** Called with what the caller must not see: the cause of an internal error. */
  readonly report: (error: unknown) => void;
}

/** The GETs whose answers are written bit by bit, and the end of all paths: what comes here and is none of them is not found. */
export function streamRouter(streams: readonly StreamRoute[], deps: StreamDeps): Router {
  const router = Router({ caseSensitive: true });
  for (const stream of streams) {
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

async function streamTo(
  { limit, path, answer }: StreamRoute,
  deps: StreamDeps,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const context = deps.newContext(request);
  try {
    await withDeadline(ANSWER_MS, () => context.admit(limit, `GET ${path}`));
  } finally {
    response.set(rateLimitHeaders(context.allowance));
  }
  if (request.method === 'HEAD') response.end();
  else await answer(request, response);
}
