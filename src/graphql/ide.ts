import type { IncomingMessage } from 'node:http';

import { type NextFunction, type Request, type Response, Router, static as staticFiles } from 'express';
import { getDistDirectory, isSandboxFrame, renderAltair } from 'altair-static';

import { IDE_FILES_POLICY, IDE_POLICY, IDE_SANDBOX_POLICY } from '../http/policies.ts';
import { IDE_EXAMPLES } from './ide-examples.ts';

const OPTIONS_FILE = 'initial_options.js';

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
  files.use(base, letFrame);
  files.get(`${base}${OPTIONS_FILE}`, (_request, response) => {
    response.type('js').send(settings);
  });
  files.use(base, staticFiles(getDistDirectory(), { index: false, redirect: false, setHeaders: sandboxed }));
  files.get(path, (_request, response) => {
    response.vary('Accept').set('Content-Security-Policy', IDE_POLICY).type('html').send(page);
  });
  return files;
}

/** Browsers name `text/html` when they open a page; programs do not. */
export function wantsIde({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && accept.includes('text/html');
}

/** The page frames its files; a frame that is cut off from its page counts as another site. */
function letFrame(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Content-Security-Policy': IDE_FILES_POLICY,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Frame-Options': 'SAMEORIGIN',
  });
  next();
}

function sandboxed(response: Response, file: string): void {
  if (isSandboxFrame(file)) response.setHeader('Content-Security-Policy', IDE_SANDBOX_POLICY);
}

/** Altair shows a number of more than 15 characters as a text; nobody reads so many digits. */
const SIX_DIGITS = `const ask = window.fetch.bind(window);
const shortened = (_name, value) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
window.fetch = async (...asked) => {
  const response = await ask(...asked);
  if (!/json/.test(response.headers.get('content-type') ?? '')) return response;
  const body = JSON.stringify(JSON.parse(await response.text(), shortened));
  const { status, statusText, headers, url } = response;
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url });
};`;

/**
 * A query behind `#query=` is shown alone, in a state of its own that is kept nowhere. Altair takes whole addresses alone, and only the browser knows under which one it reached the service. Of the windows
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
  return `${SIX_DIGITS}
const endpoints = {
  endpointURL: location.origin + ${JSON.stringify(path)},
  subscriptionsEndpoint: location.origin.replace(/^http/, 'ws') + ${JSON.stringify(path)},
  initialSubscriptionRequestHandlerId: 'graphql-ws',
};
const asked = new URLSearchParams(location.hash.slice(1)).get('query');
const windows = asked === null ? ${JSON.stringify(windows, null, 2)} : [{ initialName: 'A query', initialQuery: asked }];
AltairGraphQL.init({
  ...${JSON.stringify(settings)},
  ...(asked === null ? {} : { instanceStorageNamespace: 'hourcast_asked_', preserveState: false }),
  ...endpoints,
  initialWindows: windows.map((window) => ({ ...endpoints, ...window })),
});
if (asked === null && localStorage.getItem('hourcast_visited') === null) {
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
