import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { type Request, type RequestHandler, type Response, Router } from 'express';

import type { GraphQLSchema } from 'graphql';

import { timeBudget } from '../deadline.ts';
import { noSuchPath, sendErrors } from '../http/errors.ts';
import { searchOf } from '../http/parameters.ts';
import { EMBED_POLICY, PAGE_POLICY } from '../http/policies.ts';
import { ANSWER_MS } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';
import { withoutKeys } from '../rules/keys.ts';
import { isEmbed, PATTERNS, routeAt, type Route } from '../../dashboard/addresses.ts';
import { type Bundle, bundlePage, FILES_PATH, type PageFile } from './bundle.ts';
import { dataOf, type FirstAnswers } from '../../dashboard/document.ts';
import { type AnswerFirst, firstAnswers } from './first-answers.ts';
import { headOf, isMissing } from './heads.ts';
import { type PictureDeps, pictureRoutes, previewPath } from './pictures/picture-routes.ts';
import { pageHtml } from './html.ts';

export interface PageDeps extends Pick<PictureDeps, 'newContext'> {
  readonly schema: GraphQLSchema;
  readonly report: (error: unknown) => void;
}

/** The page under each of its addresses, and its files. It is bundled when it is first asked for, and once. */
export function pageRoutes(deps: PageDeps): Router {
  const answer = firstAnswers(deps.schema);
  const bundle = bundledOnce();
  const router = Router({ caseSensitive: true, strict: true });
  router.get(`${FILES_PATH}:name`, (request, response) =>
    bundle().then(({ files }) => sendFile(response, files.get(request.params.name))),
  );
  router.use(pictureRoutes({ ...deps, answer }));
  const showPage: RequestHandler = (request, response, next) => {
    const route = routeAt(request.path, searchOf(request));
    if (route === null) {
      next();
      return undefined;
    }
    return Promise.all([answersFor(answer, deps, { route, request }), bundle()]).then(([answers, files]) =>
      sendPage(response, { route, answers, bundle: files }),
    );
  };
  // Each by a pattern of its own, by which requests are counted.
  for (const pattern of PATTERNS) router.get(pattern, showPage);
  router.use(sendErrors(deps.report));
  return router;
}

/** The bundle, made when it is first asked for; after a failure once more. */
function bundledOnce(): () => Promise<Bundle> {
  let bundled: Promise<Bundle> | undefined;
  return async () => {
    bundled ??= bundlePage();
    try {
      return await bundled;
    } catch (error) {
      bundled = undefined;
      throw error;
    }
  };
}

function sendFile(response: Response, file: PageFile | undefined): void {
  if (file === undefined) return noSuchPath(response.req);
  const { type, bodies } = file;
  const encoding = encodingFor(response.req);
  response
    .set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'Content-Type': type, Vary: 'Accept-Encoding' })
    .set(encoding === 'identity' ? {} : { 'Content-Encoding': encoding })
    .end(bodies[encoding]);
}

/** What could be answered within the caller's budgets; the page asks for the rest by itself, and says what is wrong. */
async function answersFor(
  answer: AnswerFirst,
  { newContext, report }: PageDeps,
  { route, request }: { route: Route; request: Request },
): Promise<FirstAnswers> {
  try {
    return await timeBudget(ANSWER_MS).run(async () => {
      const context = newContext(request);
      await context.admit('graphqlRequest', 'the page');
      return answer(route, context);
    });
  } catch (error) {
    if (!(error instanceof DomainError)) report(error);
    return {};
  }
}

async function sendPage(
  response: Response,
  { route, answers, bundle }: { route: Route; answers: FirstAnswers; bundle: Bundle },
): Promise<void> {
  const { req: request } = response;
  const data = dataOf(answers);
  const html = pageHtml({
    head: headOf(route.page, data),
    origin: `${request.protocol}://${request.host}`,
    path: withoutKeys(request.originalUrl),
    preview: withoutKeys(previewPath(request.path, searchOf(request))),
    route,
    answers,
    bundle,
  });
  const encoding = encodingFor(request);
  if (isEmbed(route.page)) letFrame(response);
  else response.set('Content-Security-Policy', PAGE_POLICY);
  response
    .status(isMissing(route, data) ? 404 : 200)
    .set({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' })
    .set(encoding === 'identity' ? {} : { 'Content-Encoding': encoding })
    .type('html')
    .end(await compressed(html, encoding));
}

/** Takes back, of this answer alone, that no other site may show it. */
function letFrame(response: Response): void {
  response.removeHeader('X-Frame-Options');
  response.set({ 'Content-Security-Policy': EMBED_POLICY, 'Cross-Origin-Resource-Policy': 'cross-origin' });
}

function encodingFor(request: Request): 'br' | 'gzip' | 'identity' {
  const found = request.acceptsEncodings('br', 'gzip');
  return found === 'br' || found === 'gzip' ? found : 'identity';
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** Made for each request: a millisecond, where the best quality takes fifty. */
const BROTLI_QUALITY = 4;

async function compressed(html: string, encoding: 'br' | 'gzip' | 'identity'): Promise<Buffer | string> {
  if (encoding === 'br') return compressBrotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  return encoding === 'gzip' ? compressGzip(html) : html;
}
