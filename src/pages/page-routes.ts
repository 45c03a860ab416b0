import { type Request, type RequestHandler, type Response, Router } from 'express';

import { FOR_EVER, FOR_ITS_HOST } from '../http/cache-headers.ts';
import { noSuchPath, sendErrors } from '../http/errors.ts';
import { originOf } from '../http/origins.ts';
import { searchOf } from '../http/parameters.ts';
import { EMBED_POLICY, PAGE_POLICY } from '../http/policies.ts';
import { DomainError } from '../rules/errors.ts';
import { withoutKeys } from '../rules/keys.ts';
import { agentPath, isEmbed, patterns, routeAt, type Route } from '../../dashboard/addresses.ts';
import { type Bundle, FILES_PATH, type PageFile } from './bundle.ts';
import { sendCompressed, sendHtml } from '../http/compression.ts';
import { csvRoutes } from './csv-routes.ts';
import type { FirstAnswers } from '../../dashboard/document.ts';
import { type AnswerDeps, agentNamed, dataOf, firstAnswers } from './first-answers.ts';
import { headOf, isMissing } from './heads.ts';
import { pictureRoutes, previewPath } from './pictures/picture-routes.ts';
import { pageHtml } from './html.ts';

interface PageDeps extends AnswerDeps {
  readonly bundle: () => Promise<Bundle>;
  readonly report: (error: unknown) => void;
}

export function pageRoutes(deps: PageDeps): Router {
  const { bundle } = deps;
  const answer = firstAnswers(deps);
  const router = Router({ caseSensitive: true, strict: true });
  router.get(`${FILES_PATH}:name`, async (request, response) =>
    sendFile(response, (await bundle()).files.get(request.params.name)),
  );
  router.use(pictureRoutes(answer), csvRoutes(answer));
  /** Empty if the caller's budget is spent: the page then requests the answers itself and shows the error. */
  const answersFor = async (request: Request, route: Route): Promise<FirstAnswers> => {
    try {
      return await answer(request, route, { limit: 'graphqlRequest', endpoint: 'the page' });
    } catch (error) {
      if (!(error instanceof DomainError)) deps.report(error);
      return {};
    }
  };
  const showPage: RequestHandler = async (request, response, next) => {
    const route = routeAt(request.path, searchOf(request));
    if (route === null) return next();
    const [answers, files] = await Promise.all([answersFor(request, route), bundle()]);
    return sendPage(response, { route, answers, bundle: files });
  };
  // One pattern each, since requests are counted by pattern.
  for (const pattern of patterns()) router.get(pattern, showPage);
  const idOf = agentNamed(deps);
  router.get('/agents/:name', async (request, response, next) => {
    const id = await idOf(request, request.params.name);
    if (id === null) return next();
    return response.redirect(302, agentPath(id) + searchOf(request));
  });
  router.get(['/board', '/board/:period'], (request, response) =>
    response.redirect(308, request.originalUrl.replace('/board', '/leaderboard')),
  );
  const withSlash = ['/board', '/board/:period', ...patterns().slice(1)].map((path) => `${path}/`);
  router.get(withSlash, (request, response) => response.redirect(308, request.path.slice(0, -1) + searchOf(request)));
  router.use(sendErrors(deps.report));
  return router;
}

/** For browsers. Programs get JSON from the handler behind it. */
export function missingPage({ bundle, report }: Pick<PageDeps, 'bundle' | 'report'>): Router {
  const router = Router();
  router.use(async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isShown = isRead && !/^\/api(\/|$)/.test(request.path) && request.accepts(['json', 'html']) === 'html';
    if (!isShown) return next();
    return sendPage(response, { route: null, answers: {}, bundle: await bundle() });
  });
  router.use(sendErrors(report));
  return router;
}

async function sendFile(response: Response, file: PageFile | undefined): Promise<void> {
  if (file === undefined) return noSuchPath(response.req);
  response.set({ ...FOR_EVER, 'Content-Type': file.type });
  return sendCompressed(response, (encoding) => file.bodies[encoding]);
}

async function sendPage(
  response: Response,
  { route, answers, bundle }: { route: Route | null; answers: FirstAnswers; bundle: Bundle },
): Promise<void> {
  const { req: request } = response;
  const data = dataOf(answers);
  const html = await pageHtml({
    head: headOf(route?.page ?? null, data),
    origin: originOf(request),
    path: withoutKeys(request.originalUrl),
    preview: route === null ? previewPath('/', '') : withoutKeys(previewPath(request.path, searchOf(request))),
    route,
    answers,
    bundle,
  });
  if (route !== null && isEmbed(route.page)) letFrame(response);
  else response.set('Content-Security-Policy', PAGE_POLICY);
  response.status(isMissing(route, data) ? 404 : 200).set(FOR_ITS_HOST);
  return sendHtml(response, html);
}

function letFrame(response: Response): void {
  response.removeHeader('X-Frame-Options');
  response.set({ 'Content-Security-Policy': EMBED_POLICY, 'Cross-Origin-Resource-Policy': 'cross-origin' });
}
