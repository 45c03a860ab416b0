import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Request, type Response, Router } from 'express';

import type { Clock } from '../clock.ts';
import { ADMIN_ACTIONS, AdminAction, type AdminActionName, LONGEST_REASON } from '../entities/admin-action.ts';
import { Round } from '../entities/round.ts';
import type { AdminOrder, AdminResult } from '../jobs/admin-actions.ts';
import { jsonBody } from '../http/bodies.ts';
import { checkFields, checkKnown, numberIn, queryOf, wholeNumber } from '../http/parameters.ts';
import { MAX_ID } from '../limits.ts';
import { refused } from '../rules/errors.ts';
import { MINUTE } from '../rules/hours.ts';

interface AdminRoutesDeps {
  readonly lists: AdminLists;
  readonly act: (action: AdminActionName, roundId: number, order: AdminOrder) => Promise<AdminResult>;
  readonly actorOf: (request: Request) => string;
}

/** The operators' actions, and what they need to see for them. Requests have presented the token already. */
export function adminRoutes(deps: AdminRoutesDeps): Router {
  const router = Router({ caseSensitive: true });
  router.get('/admin/rounds/stuck', (request, response) => sendStuck(deps, request, response));
  router.get('/admin/audit', (request, response) => sendAudit(deps, request, response));
  for (const action of ADMIN_ACTIONS) {
    const act = (request: Request, response: Response) => carryOut(action, deps, { request, response });
    router.post(`/admin/rounds/:round_id/${action}`, act);
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

async function carryOut(
  action: AdminActionName,
  { act, actorOf }: AdminRoutesDeps,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const roundId = idIn(request);
  const reason = await reasonIn(request, response, action === 'void');
  response.json({ round_id: roundId, ...(await act(action, roundId, { actor: actorOf(request), reason })) });
}

const SENTENCE = new RegExp(`^\\P{Cc}{1,${LONGEST_REASON}}$`, 'u');

function idIn({ params }: Request): number {
  const text = String(params['round_id']);
  const id = wholeNumber(text, { min: 1, max: MAX_ID });
  if (id !== null) return id;
  throw refused('round_id', `the id of a round, a whole number from 1 to ${MAX_ID}`, text);
}

/** The operator's sentence. Without one, a request needs no body either. */
async function reasonIn(request: Request, response: Response, isNeeded: boolean): Promise<string | null> {
  const hasBody = request.get('content-type') !== undefined;
  const body = hasBody ? await jsonBody({ request, response }) : {};
  checkFields(body, ['reason']);
  const { reason } = body;
  if (reason === undefined && !isNeeded) return null;
  if (typeof reason === 'string' && isSentence(reason.trim())) return reason.trim();
  const mustBe = `a sentence of 1 to ${LONGEST_REASON} characters without control characters, which everybody can read`;
  throw refused('reason', mustBe, reason);
}

function isSentence(text: string): boolean {
  return SENTENCE.test(text) && text.isWellFormed();
}

/** What operators read, with the names of REST. */
interface AdminLists {
  /** Rounds whose hour ended at least `ms` of service time ago and that have no outcome yet, the oldest first. */
  stuck(ms: number): Promise<readonly object[]>;
  /** The newest actions first, those with an id below `before`; `next` is where the next page begins, or null. */
  audit(limit: number, before: number): Promise<{ readonly actions: readonly object[]; readonly next: number | null }>;
}

interface AdminListsDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
}

export function adminLists({ newEm, clock }: AdminListsDeps): AdminLists {
  return {
    async stuck(ms) {
      const now = clock.now().getTime();
      const where = { status: 'resolving', endTime: { $lte: new Date(now - ms) } } as const;
      const rounds = await newEm().find(Round, where, { orderBy: { startTime: 'asc' } });
      return rounds.map((round) => ({
        id: round.id,
        question: round.question,
        end_time: round.endTime,
        waiting_minutes: Math.floor((now - round.endTime.getTime()) / MINUTE),
        total_entries: round.totalEntries,
        attempts: round.attempts,
        last_tried_at: round.lastTriedAt ?? null,
        last_problem: round.lastProblem ?? null,
        try_after: round.tryAfter ?? null,
      }));
    },
    async audit(limit, before) {
      const rows = await newEm().find(
        AdminAction,
        { id: { $lt: before } },
        { orderBy: { id: 'desc' }, limit: limit + 1 },
      );
      const page = rows.slice(0, limit);
      return {
        actions: page.map(({ id, at, actor, action, roundId, reason, result }) => ({
          id,
          at,
          actor,
          action,
          round_id: roundId,
          reason: reason ?? null,
          result,
        })),
        next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      };
    },
  };
}
