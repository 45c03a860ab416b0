import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { RequestHandler } from 'express';
import helmet from 'helmet';

type Directives = Readonly<Record<string, readonly string[]>>;

/** Answers are data: a browser that shows one as a page may load nothing and be framed by nobody. */
const NOTHING: Directives = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** A policy of its own for the files beneath a path, which somebody else's page is made of. */
export interface PagePolicy {
  readonly under: string;
  readonly policy: Directives;
  /** The files may be loaded by a frame that is cut off from its page and so counts as another site. */
  readonly frames: boolean;
}

/** The IDE sets the policy of its page and of its frame itself. */
const IDE_FILES: PagePolicy = {
  under: '/graphql/ide/',
  policy: { 'default-src': ["'self'"], 'worker-src': ["'self'", 'blob:'], 'frame-ancestors': ["'self'"] },
  frames: true,
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** A header's name and its value. */
export type Header = readonly [name: string, value: string];

/** What every answer but those of pages carries. */
export function usualHeaders(): readonly Header[] {
  return headersFor({ policy: NOTHING, frames: false });
}

/** Sets what browsers must not do with an answer: load anything or frame it, but for the files of `pages` and the IDE. */
export function securityHeaders(pages: readonly PagePolicy[]): RequestHandler {
  const usual = usualHeaders();
  const relaxed = [IDE_FILES, ...pages].map((page) => ({ under: page.under, headers: headersFor(page) }));
  return (request, response, next) => {
    const page = relaxed.find(({ under }) => request.path.startsWith(under));
    for (const [name, value] of page?.headers ?? usual) response.setHeader(name, value);
    next();
  };
}

/** What helmet would set on each answer, worked out once: it does not depend on the request. */
function headersFor(page: Pick<PagePolicy, 'policy' | 'frames'>): readonly Header[] {
  const headers: Header[] = [];
  const request = new IncomingMessage(new Socket());
  const setHeader = (name: string, value: string): void => void headers.push([name, value]);
  helmetFor(page)(request, Object.assign(new ServerResponse(request), { setHeader }), () => {});
  return headers;
}

function helmetFor({ policy, frames }: Pick<PagePolicy, 'policy' | 'frames'>): ReturnType<typeof helmet> {
  return helmet({
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
}
