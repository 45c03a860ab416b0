import type { IncomingMessage } from 'node:http';

import {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
  static as staticFiles,
} from 'express';

import { madeOnce } from '../in-flight.ts';
import { IDE_FILES_POLICY, IDE_POLICY } from '../http/policies.ts';
import { IDE_EXAMPLES } from './ide-examples.ts';

const OPTIONS_FILE = 'initial_options.js';

/** Altair's banners advertise an assistant that would be loaded from another site. */
const WITHOUT_BANNERS = '<style>app-banner-container { display: none }</style>';

export function ideRoutes(path: string): RequestHandler {
  // Altair takes 10 MB of memory, and few services show it.
  const routes = madeOnce(() => openIde(path));
  return async (request, response, next) => {
    const isIde = request.path === path || request.path.startsWith(`${path}/`);
    return isIde ? (await routes())(request, response, next) : next();
  };
}

async function openIde(path: string): Promise<Router> {
  const { getDistDirectory, isSandboxFrame, renderAltair, SANDBOX_FRAME_CSP } = await import('altair-static');
  const base = `${path}/ide/`;
  // Users' own scripts run in a frame, isolated from the IDE's page.
  const setHeaders = (response: Response, file: string): void => {
    if (isSandboxFrame(file)) response.setHeader('Content-Security-Policy', SANDBOX_FRAME_CSP);
  };
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
  files.use(base, staticFiles(getDistDirectory(), { index: false, redirect: false, setHeaders }));
  files.get(path, (_request, response) => {
    response.vary('Accept').set('Content-Security-Policy', IDE_POLICY).type('html').send(page);
  });
  return files;
}

export function wantsIde({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  // Browsers accept `text/html` when they open a page; programs do not.
  return (method === 'GET' || method === 'HEAD') && accept.includes('text/html');
}

/** The page frames its files; a sandboxed frame counts as another site. */
function letFrame(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'Content-Security-Policy': IDE_FILES_POLICY,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Frame-Options': 'SAMEORIGIN',
  });
  next();
}

/** Altair shows numbers of more than 15 characters as text. */
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
 * A query after `#query=` opens alone, without stored state. Altair needs absolute addresses, which only the browser
 * knows. Altair shows the last new window, so the first visit selects the first one. Each window loads the schema at
 * the start: the introspection budget allows several visits a minute.
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
