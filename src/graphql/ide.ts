import type { IncomingMessage } from 'node:http';

import { type Response, Router, static as staticFiles } from 'express';
import { getDistDirectory, isSandboxFrame, renderAltair, SANDBOX_FRAME_CSP } from 'altair-static';

import { IDE_EXAMPLES } from './ide-examples.ts';

const OPTIONS_FILE = 'initial_options.js';

/** The page may load nothing from elsewhere and talk to nobody else, so it works offline. */
const PAGE_CSP = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "frame-ancestors 'self'",
].join('; ');

/** Altair's banners advertise an assistant that would have to be fetched from elsewhere. */
const WITHOUT_BANNERS = '<style>app-banner-container { display: none }</style>';

/** Altair, served whole from this service: a page for browsers at `path`, its files beneath. */
export function ideRoutes(path: string): Router {
  const base = `${path}/ide/`;
  const page = renderAltair({ baseURL: base, serveInitialOptionsInSeperateRequest: OPTIONS_FILE }).replace(
    '</head>',
    `${WITHOUT_BANNERS}</head>`,
  );
  const settings = settingsScript(path);
  const files = Router({ caseSensitive: true });
  files.get(`${base}${OPTIONS_FILE}`, (_request, response) => {
    response.type('js').send(settings);
  });
  files.use(base, staticFiles(getDistDirectory(), { index: false, redirect: false, setHeaders: sandboxed }));
  files.get(path, (_request, response) => {
    response.vary('Accept').set('Content-Security-Policy', PAGE_CSP).type('html').send(page);
  });
  return files;
}

/** Browsers name `text/html` when they open a page; programs do not. */
export function wantsIde({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && accept.includes('text/html');
}

/** Users' own scripts run in a frame of their own, cut off from the page. */
function sandboxed(response: Response, file: string): void {
  if (isSandboxFrame(file)) response.setHeader('Content-Security-Policy', SANDBOX_FRAME_CSP);
}

/**
 * Altair takes whole addresses alone, and only the browser knows under which one it reached the service. Of the windows
 * the last one made would show, so on the first visit the first one is chosen once all are there. The schema is loaded
 * at the start, once for each window: the budget of introspection takes several visits a minute.
 */
function settingsScript(path: string): string {
  const windows = IDE_EXAMPLES.map(({ name, query, headers }) => ({
    initialName: name,
    initialQuery: query,
    ...(headers === undefined ? {} : { initialHeaders: headers }),
  }));
  const settings = {
    instanceStorageNamespace: 'hourcast_',
    disableAccount: true,
    initialSettings: { theme: 'system', 'schema.reloadOnStart': true },
  };
  return `const endpoints = {
  endpointURL: location.origin + ${JSON.stringify(path)},
  subscriptionsEndpoint: location.origin.replace(/^http/, 'ws') + ${JSON.stringify(path)},
  initialSubscriptionRequestHandlerId: 'graphql-ws',
};
const windows = ${JSON.stringify(windows, null, 2)};
AltairGraphQL.init({
  ...${JSON.stringify(settings)},
  ...endpoints,
  initialWindows: windows.map((window) => ({ ...endpoints, ...window })),
});
if (localStorage.getItem('hourcast_visited') === null) {
  new MutationObserver((_, observer) => {
    const tabs = document.querySelectorAll('.window-switcher__item');
    if (tabs.length < windows.length) return;
    observer.disconnect();
    localStorage.setItem('hourcast_visited', 'yes');
    tabs[0].click();
  }).observe(document.documentElement, { childList: true, subtree: true });
}
`;
}
