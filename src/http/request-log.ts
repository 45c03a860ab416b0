import type { IncomingMessage } from 'node:http';

import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

import { steadyMs } from '../clock.ts';
import { requestIds } from '../request-id.ts';
import { inScope } from '../request-scope.ts';
import { SECOND } from '../rules/hours.ts';
import { requestMetrics } from './request-metrics.ts';
import { type AnsweredExchange, isWritten } from './unread-answers.ts';

interface RequestLogOptions {
  readonly randomBytes: (count: number) => Buffer;
  readonly registry: Registry;
  readonly log: Logger;
}

type RequestLine = Pick<IncomingMessage, 'method' | 'url'>;

interface AnsweredRequest {
  readonly id: string;
  /** The route's pattern, never the caller's text. */
  readonly route: string;
  readonly status: number;
  readonly began: number;
}

export type RequestLog = ReturnType<typeof requestLog>;

const SLOW_MS = SECOND;
const LONGEST_PATH = 200;
const NO_ROUTE = 'none';
const ENDLESS = new Set(['/api/events']);

export function requestLog({ randomBytes, registry, log }: RequestLogOptions) {
  const idOf = requestIds(randomBytes);
  const measure = requestMetrics(registry);
  const note = ({ method = '', url = '' }: RequestLine, { id, route, status, began }: AnsweredRequest): void => {
    const ms = steadyMs() - began;
    const endless = ENDLESS.has(route);
    measure({ route, method, status }, endless ? null : ms / SECOND);
    const level = status >= 500 || (ms >= SLOW_MS && !endless) ? 'info' : 'debug';
    if (!log.isLevelEnabled(level)) return;
    log[level]({ requestId: id, method, route, path: pathOf(url), status, ms: Math.round(ms * 10) / 10 }, 'Answered');
  };
  return {
    idOf,
    /** Measures a request once its answer was received; logs at `info` if it failed by our fault or was slow, else at `debug`. */
    noteWritten({ request, response }: AnsweredExchange, noted: AnsweredRequest): void {
      // The system accepts nearly every answer at once; for slow readers the time runs until the last byte.
      if (isWritten({ request, response })) note(request, noted);
      else response.once('close', () => note(request, noted));
    },
    handler: ((request, response, next) => {
      const began = steadyMs();
      const id = idOf(request);
      response.setHeader('X-Request-Id', id);
      response.once('close', () => {
        const { method, originalUrl: url } = request;
        const status = response.headersSent ? response.statusCode : 499;
        note({ method, url }, { id, route: routeOf(request, response), status, began });
      });
      inScope({ requestId: id }, next);
    }) satisfies RequestHandler,
  };
}

function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').slice(0, LONGEST_PATH);
}

/** Parts that serve files or have their own routes set `locals.route`. */
function routeOf({ route }: { route?: unknown }, { locals }: Response): string {
  const named: unknown = locals['route'];
  if (typeof named === 'string') return named;
  const path: unknown = typeof route === 'object' && route !== null && 'path' in route ? route.path : undefined;
  return typeof path === 'string' ? path : NO_ROUTE;
}
