import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { RequestHandler } from 'express';
import helmet from 'helmet';

import { QUEUE_PAGE } from './queue-page.ts';

type Directives = Readonly<Record<string, readonly string[]>>;

/** Answers are data: a browser that shows one as a page may load nothing and be framed by nobody. */
const NOTHING: Directives = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** The pages of others that are served from here. The IDE sets the policy of its page and of its frame itself. */
const RELAXED: readonly { readonly under: string; readonly policy: Directives; readonly frames: boolean }[] = [
  {
    under: '/graphql/ide/',
    policy: { 'default-src': ["'self'"], 'worker-src': ["'self'", 'blob:'], 'frame-ancestors': ["'self'"] },
    frames: true,
  },
  {
    under: QUEUE_PAGE,
    policy: {
      ...NOTHING,
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'", 'data:'],
      'base-uri': ["'self'"],
    },
    frames: false,
  },
];

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What every answer tells a browser not to do with it. */
export function securityHeaders(): RequestHandler {
  const usual = headersOf(NOTHING, false);
  const relaxed = RELAXED.map(({ under, policy, frames }) => ({ under, headers: headersOf(policy, frames) }));
  return (request, response, next) => {
    const { headers } = relaxed.find(({ under }) => request.path.startsWith(under)) ?? { headers: usual };
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/**
 * The headers that helmet gives; they are the same for every answer, so it is asked once. `frames`: the files may be
 * loaded by a frame that is cut off from its page and so counts as another site.
 */
function headersOf(policy: Directives, frames: boolean): readonly [name: string, value: string][] {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    crossOriginResourcePolicy: { policy: frames ? 'cross-origin' : 'same-origin' },
    xFrameOptions: { action: frames ? 'sameorigin' : 'deny' },
    // These are for browsers long gone, or say what browsers do anyhow.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    strictTransportSecurity: { maxAge: YEAR_SECONDS, includeSubDomains: false },
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  setHeaders(request, response, () => {});
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}
