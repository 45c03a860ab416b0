import { join } from 'node:path';

import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';

import { formFields } from '../../http/bodies.ts';
import { errorAnswer } from '../../http/errors.ts';
import { checkKnown, queryOf, singleValue } from '../../http/parameters.ts';
import { DESK_POLICY } from '../../http/policies.ts';
import { ADMIN_ACTIONS, type AdminAction } from '../../rules/admin-actions.ts';
import { type AdminRoutesDeps, auditPage } from '../admin-routes.ts';
import { askingPage, confirmingPage, deskPage, donePage, loginPage, refusedPage, STYLE_PATHS } from './desk-html.ts';
import { openSessions, type Sessions } from './session.ts';
import type { Clock } from '../../clock.ts';

interface DeskDeps extends AdminRoutesDeps {
  readonly token: string;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** The style of the public page, which a worker does not bundle. */
const SHARED_STYLE = join(import.meta.dirname, '../../../dashboard/style.css');
const OWN_STYLE = join(import.meta.dirname, 'desk.css');

/** A form of a signed-in operator. */
interface SentForm {
  readonly session: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * The operators' page: forms, no script. Its cookie is valid here alone and with the token of its forms; the endpoints
 * for programs need the header.
 */
export function deskRoutes(deps: DeskDeps): Router {
  const sessions = openSessions(deps.token, deps.clock);
  const router = Router({ caseSensitive: true });
  router.get(STYLE_PATHS[0], (_request, response) => response.sendFile(SHARED_STYLE));
  router.get(STYLE_PATHS[1], (_request, response) => response.sendFile(OWN_STYLE));
  router.get('/admin', (request, response) => sendDesk(deps, sessions, { request, response }));
  router.post('/admin/login', async (request, response) => {
    const { token } = await formFields({ request, response });
    if (!sessions.isSame(String(token), deps.token))
      return send(response.status(401), loginPage('The token is not the value of ADMIN_TOKEN.'));
    sessions.begin(response);
    response.redirect(303, '/admin');
  });
  router.post('/admin/logout', async (request, response) => {
    if ((await sentBy(sessions, { request, response })) !== null) sessions.end(response);
    response.redirect(303, '/admin');
  });
  for (const row of ADMIN_ACTIONS) {
    const path = `/admin/act/${row.of}/:id/${row.name}` as const;
    router.get(path, (request, response) => {
      const session = sessions.of(request);
      const { id } = request.params;
      send(
        response,
        session === null ? loginPage(null) : askingPage({ row, id, formToken: sessions.formToken(session) }),
      );
    });
    router.post(path, async (request, response) => {
      const sent = await sentBy(sessions, { request, response });
      if (sent === null) return send(response.status(401), loginPage('Sign in first; nothing was done.'));
      const { id } = request.params;
      send(response, await step(deps, { row, id, sent, formToken: sessions.formToken(sent.session), request }));
    });
  }
  router.use(['/admin/act', '/admin/login', '/admin/logout'], sendRefusal(deps.report));
  return router;
}

interface Step {
  readonly row: AdminAction;
  readonly id: string;
  readonly sent: SentForm;
  readonly formToken: string;
  readonly request: Request;
}

/** Previews an action, or runs it once the operator has seen the preview. */
async function step({ carryOut, actorOf }: DeskDeps, { sent, request, ...parts }: Step): Promise<string> {
  const { form: _form, sure, ...given } = sent.fields;
  const order = { ...parts, actor: actorOf(request) };
  if (sure === 'yes') return donePage(parts, await carryOut({ ...order, body: given }));
  return confirmingPage(parts, { given, found: await carryOut({ ...order, body: { ...given, dry_run: true } }) });
}

async function sendDesk(
  { lists }: DeskDeps,
  sessions: Sessions,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<void> {
  const session = sessions.of(request);
  if (session === null) return send(response, loginPage(null));
  const query = queryOf(request);
  checkKnown(query, ['search', 'limit', 'before']);
  const search = singleValue(query, 'search') ?? '';
  const [attention, rounds, agents, keys, queues, audit] = await Promise.all([
    lists.attention(),
    lists.rounds(),
    lists.agents(search),
    lists.keys(),
    lists.queues(),
    lists.audit(...auditPage(query)),
  ]);
  const formToken = sessions.formToken(session);
  send(
    response,
    deskPage({ attention, rounds, agents, keys, queues, limits: lists.limits(), audit, search, formToken }),
  );
}

function send(response: Response, page: string): void {
  response.set('Content-Security-Policy', DESK_POLICY).type('html').send(page);
}

/** Null unless the form belongs to the session. */
async function sentBy(
  sessions: Sessions,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<SentForm | null> {
  const session = sessions.of(request);
  const fields = await formFields({ request, response });
  if (session === null || !sessions.isSame(String(fields['form']), sessions.formToken(session))) return null;
  return { session, fields };
}

/** An error page for refusals; other errors go to `report`. */
function sendRefusal(report: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const { status, body } = errorAnswer(error, report);
    send(response.status(status), refusedPage(body.error));
  };
}
