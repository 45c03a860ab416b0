import { type Request, type Response, Router } from 'express';

import { jsonBody } from '../http/bodies.ts';
import { checkKnown, numberIn, queryOf } from '../http/parameters.ts';
import { MAX_ID } from '../limits.ts';
import { ADMIN_ACTIONS } from '../rules/admin-actions.ts';
import { MINUTE } from '../rules/hours.ts';
import type { AdminLists } from './admin-lists.ts';
import type { GivenOrder } from './carry-out.ts';

interface AdminRoutesDeps {
  readonly lists: AdminLists;
  readonly carryOut: (given: GivenOrder) => Promise<object>;
  readonly actorOf: (request: Request) => string;
}

/** The operators' actions, and what they need to see for them. Requests have presented the token already. */
export function adminRoutes(deps: AdminRoutesDeps): Router {
  const router = Router({ caseSensitive: true });
  router.get('/admin/rounds/stuck', (request, response) => sendStuck(deps, request, response));
  router.get('/admin/audit', (request, response) => sendAudit(deps, request, response));
  for (const row of ADMIN_ACTIONS) {
    router.post(`/admin/${row.of}/:id/${row.name}`, async (request, response) => {
      const { id } = request.params;
      // Without one the reason is missing, which is what is said of it.
      const hasBody = request.get('content-type') !== undefined;
      const body = hasBody ? await jsonBody({ request, response }) : {};
      response.json(await deps.carryOut({ row, id, body, actor: deps.actorOf(request) }));
    });
  }
  return router;
}

async function sendStuck({ lists }: AdminRoutesDeps, request: Request, response: Response): Promise<void> {
  const query = queryOf(request);
  checkKnown(query, ['minutes']);
  const minutes = numberIn(query, 'minutes', { default: 2, min: 0, max: 10_000 });
  response.json({ rounds: await lists.stuck(minutes * MINUTE) });
}

async function sendAudit({ lists }: AdminRoutesDeps, request: Request, response: Response): Promise<void> {
  const query = queryOf(request);
  checkKnown(query, ['limit', 'before']);
  const limit = numberIn(query, 'limit', { default: 50, min: 1, max: 100 });
  const before = numberIn(query, 'before', { default: MAX_ID, min: 1, max: MAX_ID });
  response.json(await lists.audit(limit, before));
}
