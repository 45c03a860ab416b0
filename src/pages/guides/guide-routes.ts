import { join } from 'node:path';

import { type RequestHandler, Router } from 'express';

import { FOR_ITS_HOST } from '../../http/cache-headers.ts';
import { refuseMethod, sendErrors } from '../../http/errors.ts';
import { originOf } from '../../http/origins.ts';
import { GUIDE_POLICY } from '../../http/policies.ts';
import { type DocumentParts, serviceReference } from '../../openapi/document.ts';
import { escaped } from '../../http/html-text.ts';
import type { Bundle } from '../bundle.ts';
import { compressedOnce, sendCompressed, sendHtml, sendText } from '../../http/compression.ts';
import { GUIDES, guideText, withOrigin } from './guides.ts';
import { llmsFullText, llmsText } from './llms.ts';

interface GuideDeps extends DocumentParts {
  readonly bundle: () => Promise<Bundle>;
  readonly report: (error: unknown) => void;
}

const OWN_FILES = join(import.meta.dirname, 'files');

const FILES = ['guide.css', 'guide.js', 'trying.js'];

const ENTRANCES = {
  openapi: '/openapi.json',
  docs: '/docs',
  llms: '/llms.txt',
  graphql: '/graphql',
  mcp: '/mcp',
  events: '/api/events',
};

/** `/openapi.json`, `/docs`, `/llms.txt`, `/llms-full.txt`, and `/api` as an index. Each text is made on first use and cached. */
export function guideRoutes(deps: GuideDeps): Router {
  const document = once(() => serviceReference(deps));
  const router = Router({ caseSensitive: true });
  const serve = (path: string, handler: RequestHandler): void => {
    router.route(path).get(handler).all(refuseMethod('GET'));
  };
  const serveText = (path: string, type: string, make: () => string): void => {
    const text = once(make);
    const same = compressedOnce(() => Buffer.from(text()));
    serve(path, async (request, response) => {
      response.set(FOR_ITS_HOST).type(type);
      if (type === 'json') await sendCompressed(response, same);
      else await sendText(response, Buffer.from(withOrigin(text(), originOf(request))));
    });
  };
  const servePage = (path: string, make: (bundle: Bundle) => Promise<string>): void => {
    let html: string | undefined;
    serve(path, async (request, response) => {
      html ??= await make(await deps.bundle());
      response.set({ ...FOR_ITS_HOST, 'Content-Security-Policy': GUIDE_POLICY });
      await sendHtml(response, withOrigin(html, escaped(originOf(request))));
    });
  };
  serveText('/api', 'json', () => JSON.stringify(ENTRANCES));
  serveText('/openapi.json', 'json', () => JSON.stringify(document()));
  serveText('/llms.txt', 'text/plain', () => llmsText(document()));
  serveText('/llms-full.txt', 'text/plain', () => llmsFullText(document()));
  // Loaded with the first page, since it includes the grammars of seven languages.
  servePage('/docs', async (bundle) => (await import('./reference-page.ts')).referencePage(document(), bundle));
  for (const { name } of GUIDES) {
    servePage(`/docs/${name}`, async (bundle) => (await import('./guide-pages.ts')).guidePage(name, bundle));
    serveText(`/docs/${name}.md`, 'text/markdown', () => guideText(name));
  }
  serve('/clients', (_request, response) => response.redirect(308, '/docs/clients'));
  for (const name of FILES) {
    serve(`/docs/files/${name}`, (_request, response) => response.sendFile(name, { root: OWN_FILES }));
  }
  router.use(sendErrors(deps.report));
  return router;
}

function once<Value extends {}>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
