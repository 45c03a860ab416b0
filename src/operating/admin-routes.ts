import { type Request, type Response, Router } from 'express';

import { ADMIN_ACTIONS, type AdminActionName, LONGEST_REASON } from '../entities/admin-action.ts';
import type { AdminOrder, AdminResult } from '../jobs/admin-record.ts';
import { jsonBody } from '../rest/json-body.ts';
import { DomainError } from '../rules/errors.ts';
import { MINUTE } from '../rules/hours.ts';
import { quoted } from '../rules/quoted.ts';
import type { AdminLists } from './admin-lists.ts';

export interface AdminRoutesNeeds {
  readonly lists: AdminLists;
  readonly act: (action: AdminActionName, roundId: number, order: AdminOrder) => Promise<AdminResult>;
  readonly actorOf: (request: Request) => string;
}

/** The operators' actions, and what they need to see for them. Who comes here has shown the token. */
export function adminRoutes(needs: AdminRoutesNeeds): Router {
  const router = Router({ caseSensitive: true });
  router.get('/admin/rounds/stuck', (request, response) => tellStuck(needs, request, response));
  router.get('/admin/audit', (request, response) => tellAudit(needs, request, response));
  for (const action of ADMIN_ACTIONS) {
    const act = (request: Request, response: Response) => carryOut(action, needs, { request, response });
    router.post(`/admin/rounds/:round_id/${action}`, act);
  }
  return router;
}

async function tellStuck({ lists }: AdminRoutesNeeds, request: Request, response: Response): Promise<void> {
  const minutes = numberIn(request, 'minutes', { usual: 2, least: 0, most: 10_000 });
  response.json({ rounds: await lists.stuck(minutes * MINUTE) });
}

async function tellAudit({ lists }: AdminRoutesNeeds, request: Request, response: Response): Promise<void> {
  const limit = numberIn(request, 'limit', { usual: 50, least: 1, most: 100 });
  const before = numberIn(request, 'before', { usual: MOST_ID, least: 1, most: MOST_ID });
  response.json(await lists.audit(limit, before));
}

async function carryOut(
  action: AdminActionName,
  { act, actorOf }: AdminRoutesNeeds,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const roundId = idIn(request);
  const reason = await reasonIn(request, response, action === 'void');
  response.json({ round_id: roundId, ...(await act(action, roundId, { actor: actorOf(request), reason })) });
}

const MOST_ID = 2_147_483_647;
const SENTENCE = new RegExp(`^\\P{Cc}{1,${LONGEST_REASON}}$`, 'u');

interface Bounds {
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

function numberIn(request: Request, name: string, { usual, least, most }: Bounds): number {
  const text = request.query[name];
  if (text === undefined) return usual;
  if (typeof text === 'string' && /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most)
    return Number(text);
  throw new DomainError('BAD_REQUEST', `${name} takes a whole number from ${least} to ${most}, given once.`);
}

function idIn({ params }: Request): number {
  const text = params['round_id'];
  if (typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MOST_ID) return Number(text);
  throw new DomainError(
    'BAD_REQUEST',
    `round_id takes the id of a round, a whole number, not ${quoted(String(text))}.`,
  );
}

/** The operator's sentence. Without one, a request needs no body either. */
async function reasonIn(request: Request, response: Response, isNeeded: boolean): Promise<string | null> {
  const hasBody = request.get('content-type') !== undefined;
  const { reason } = hasBody ? await jsonBody(request, response) : {};
  if (reason === undefined && !isNeeded) return null;
  if (typeof reason === 'string' && isSentence(reason.trim())) return reason.trim();
  throw new DomainError(
    'BAD_REQUEST',
    `reason takes a sentence of 1 to ${LONGEST_REASON} characters without control characters; everybody can read it.`,
  );
}

function isSentence(text: string): boolean {
  return SENTENCE.test(text) && text.isWellFormed();
}
