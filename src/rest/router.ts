import { type Request, type Response, Router } from 'express';

import { withDeadline } from '../deadline.ts';
import { noSuchPath, sendErrors } from '../http/errors.ts';
import { ANSWER_MS } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import { admit, answerWith, type AnsweringDeps } from './answering.ts';
import { pathPattern, type Table } from './compile.ts';
import type { Endpoint, StreamRoute } from './endpoint.ts';

interface RestDeps extends AnsweringDeps<Request> {
  readonly streams: readonly StreamRoute[];
  /** Called with what the caller must not see: the cause of an internal error. */
  readonly report: (error: unknown) => void;
}

/** The routes of the table. A fixed path comes before one whose parameter would match it. */
export function restRouter(table: Table, deps: RestDeps): Router {
  const router = Router({ caseSensitive: true });
  const byPath = Map.groupBy(table.values(), ({ path }) => path);
  const paths = [...byPath.keys()].toSorted((left, right) => Number(left.includes('{')) - Number(right.includes('{')));
  for (const path of paths) {
    const rows = byPath.get(path) ?? [];
    const route = router.route(pathPattern(path));
    for (const row of rows) {
      const answer = (request: Request, response: Response) => answerWith(row, deps, { request, response });
      if (row.method === 'GET') route.get(answer);
      else route.post(answer);
    }
    route.all(refuseMethod(rows));
  }
  for (const stream of deps.streams) {
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

/** Answers 405 and says which methods the path takes. */
export function refuseMethod(rows: readonly Pick<Endpoint, 'method'>[]) {
  const allowed = rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return (request: Request, response: Response): never => {
    response.set('Allow', allowed);
    throw new DomainError('method_not_allowed', `${request.path} takes ${allowed}, not ${request.method}.`);
  };
}

async function streamTo(
  { limit, path, answer }: StreamRoute,
  deps: RestDeps,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const counted = { limit, asked: `GET ${path}` };
  await withDeadline(ANSWER_MS, () => admit(deps, counted, { request, response }));
  if (request.method === 'HEAD') response.end();
  else await answer(request, response);
}
