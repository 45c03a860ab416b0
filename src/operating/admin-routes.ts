import { type Request, Router } from 'express';

import { jsonBody } from '../http/bodies.ts';
import { checkKnown, numberIn, queryOf, singleValue } from '../http/parameters.ts';
import { MAX_ID } from '../limits.ts';
import { ADMIN_ACTIONS, ADMIN_LISTS, type AdminListName } from '../rules/admin-actions.ts';
import { MINUTE } from '../rules/hours.ts';
import type { AdminLists } from './admin-lists.ts';
import type { OrderRequest } from './carry-out.ts';

export interface AdminRoutesDeps {
  readonly lists: AdminLists;
  readonly carryOut: (given: OrderRequest) => Promise<Readonly<Record<string, unknown>>>;
  readonly actorOf: (request: Request) => string;
}

const LISTS: Readonly<Record<AdminListName, (lists: AdminLists, query: URLSearchParams) => Promise<object>>> = {
  attention: (lists) => lists.attention(),
  rounds: async (lists) => ({ rounds: await lists.rounds() }),
  agents: async (lists, query) => ({ agents: await lists.agents(singleValue(query, 'search') ?? '') }),
  keys: async (lists) => ({ keys: await lists.keys() }),
  queues: (lists) => lists.queues(),
  limits: async (lists) => lists.limits(),
  audit: (lists, query) => lists.audit(...auditPage(query)),
};

export function auditPage(query: URLSearchParams): [limit: number, before: number] {
  const limit = numberIn(query, 'limit', { default: 50, min: 1, max: 100 });
  return [limit, numberIn(query, 'before', { default: MAX_ID, min: 1, max: MAX_ID })];
}

/** The operators' reads and actions, behind the check of the token. */
export function adminRoutes({ lists, carryOut, actorOf }: AdminRoutesDeps): Router {
  const router = Router({ caseSensitive: true });
  router.get('/admin/rounds/stuck', async (request, response) => {
    const query = queryOf(request);
    checkKnown(query, ['minutes']);
    const minutes = numberIn(query, 'minutes', { default: 2, min: 0, max: 10_000 });
    response.json({ rounds: await lists.stuck(minutes * MINUTE) });
  });
  for (const { name, takes } of ADMIN_LISTS) {
    router.get(`/admin/${name}`, async (request, response) => {
      const query = queryOf(request);
      checkKnown(query, takes);
      response.json(await LISTS[name](lists, query));
    });
  }
  for (const row of ADMIN_ACTIONS) {
    router.post(`/admin/${row.of}/:id/${row.name}`, async (request, response) => {
      const { id } = request.params;
      // Without a body the error is the missing reason.
      const hasBody = request.get('content-type') !== undefined;
      const body = hasBody ? await jsonBody({ request, response }) : {};
      response.json(await carryOut({ row, id, body, actor: actorOf(request) }));
    });
  }
  return router;
}
