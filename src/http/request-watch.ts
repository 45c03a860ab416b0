import type { RequestHandler, Response } from 'express';

import { steadyMs } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { SECOND } from '../rules/hours.ts';
import { asRequest } from './request-ids.ts';
import type { AnsweredRequest } from './request-metrics.ts';

interface RequestWatchOptions {
  readonly idFor: (offered: string | undefined) => string;
  readonly measure: (request: AnsweredRequest) => void;
  readonly log: Logger;
}

/** An answer that takes this long is worth a line. */
const SLOW_MS = SECOND;
const LONGEST_PATH = 200;
/** Requests that no route took, and files that a route serves from a folder. */
const NO_ROUTE = 'none';
const ENDLESS = new Set(['/api/events']);

/**
 * Watches every request: gives it an id, which the answer carries and whatever is logged meanwhile, measures it, and
 * logs a line of it: at `info` when it failed for our own fault or was slow, else at `debug`.
 */
export function requestWatch({ idFor, measure, log }: RequestWatchOptions): RequestHandler {
  return (request, response, next) => {
    const began = steadyMs();
    const id = idFor(request.get('x-request-id'));
    response.setHeader('X-Request-Id', id);
    response.once('close', () => {
      const ms = steadyMs() - began;
      const route = routeOf(request, response);
      const { method } = request;
      const status = response.headersSent ? response.statusCode : 499;
      const endless = ENDLESS.has(route);
      measure({ route, method, status, seconds: ms / SECOND, endless });
      const level = status >= 500 || (ms >= SLOW_MS && !endless) ? 'info' : 'debug';
      if (log.isLevelEnabled(level)) {
        const path = pathOf(request.originalUrl);
        log[level]({ requestId: id, method, route, path, status, ms: Math.round(ms * 10) / 10 }, 'Answered');
      }
    });
    asRequest(id, next);
  };
}

/** The query is left out: some put keys there. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').slice(0, LONGEST_PATH);
}

/** The pattern of the route that took the request. A part that serves files or routes of its own names itself. */
function routeOf({ route }: { route?: unknown }, { locals }: Response): string {
  const named: unknown = locals['route'];
  if (typeof named === 'string') return named;
  const path: unknown = typeof route === 'object' && route !== null && 'path' in route ? route.path : undefined;
  return typeof path === 'string' ? path : NO_ROUTE;
}
