import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { type RequestHandler, type Response, Router } from 'express';
import type { GraphQLSchema } from 'graphql';

import { refuseMethod, sendErrors } from '../../http/errors.ts';
import { GUIDE_POLICY } from '../../http/policies.ts';
import { serviceReference } from '../../openapi/document.ts';
import type { Table } from '../../rest/compile.ts';
import { GUIDES, guideText } from './guides.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { guidePage, referencePage } from './guide-pages.ts';

interface GuideDeps {
  readonly table: Table;
  readonly schema: GraphQLSchema;
  /** Of the service. */
  readonly version: string;
  /** Called with what the caller must not see: the cause of an internal error. */
  readonly report: (error: unknown) => void;
}

const OWN_FILES = new URL('./files/', import.meta.url).pathname;
const VIEWER_FILES = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** What the pages load, by name. */
const FILES: Readonly<Record<string, string>> = {
  'guide.css': join(OWN_FILES, 'guide.css'),
  'viewer.js': join(OWN_FILES, 'viewer.js'),
  'swagger-ui.css': join(VIEWER_FILES, 'swagger-ui.css'),
  'swagger-ui-bundle.js': join(VIEWER_FILES, 'swagger-ui-bundle.js'),
};

/** Where to go on from `/api`. */
const ENTRANCES = {
  openapi: '/openapi.json',
  docs: '/docs',
  llms: '/llms.txt',
  graphql: '/graphql',
  mcp: '/mcp',
  events: '/api/events',
};

/**
 * The reference and the guides, for people, programs and language models: `/openapi.json`, `/docs`, `/llms.txt`,
 * `/llms-full.txt`, and `/api` for who does not know them. Each text is made when it is first asked for, and kept: none of them changes while the service runs.
 */
export function guideRoutes(deps: GuideDeps): Router {
  const document = once(() => serviceReference(deps));
  const router = Router({ caseSensitive: true });
  const serve = (path: string, handler: RequestHandler): void => {
    router
      .route(path)
      .get(handler)
      .all(refuseMethod([{ method: 'GET' }]));
  };
  const serveText = (path: string, type: string, make: () => string): void => {
    const text = once(make);
    serve(path, (_request, response) => void response.type(type).send(text()));
  };
  const servePage = (path: string, make: () => string): void => {
    const html = once(make);
    serve(path, (_request, response) => sendPage(response, html()));
  };
  serveText('/api', 'json', () => JSON.stringify(ENTRANCES));
  serveText('/openapi.json', 'json', () => JSON.stringify(document()));
  serveText('/llms.txt', 'text/plain', () => llmsText(document()));
  serveText('/llms-full.txt', 'text/plain', () => llmsFullText(document()));
  servePage('/docs', referencePage);
  for (const { name } of GUIDES) {
    servePage(`/docs/${name}`, () => guidePage(name));
    serveText(`/docs/${name}.md`, 'text/markdown', () => guideText(name));
  }
  for (const [name, file] of Object.entries(FILES)) {
    serve(`/docs/files/${name}`, (_request, response) => response.sendFile(file));
  }
  router.use(sendErrors(deps.report));
  return router;
}

function sendPage(response: Response, html: string): void {
  response.set('Content-Security-Policy', GUIDE_POLICY).type('html').send(html);
}

/** The same value each time, made the first time. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
