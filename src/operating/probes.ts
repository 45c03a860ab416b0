import { type Request, type Response, Router } from 'express';

import { refused } from '../rules/errors.ts';
import type { Metrics } from './metrics.ts';
import { type Part, PARTS, type Unready } from './readiness.ts';

interface ProbesDeps {
  readonly unready: () => Promise<Unready>;
  /** How the replica is; null where there is none. */
  readonly replica: () => Promise<string | null>;
  readonly metrics: Metrics;
  /** Whether the process is on its way out. */
  readonly isStopping: () => boolean;
  /** Called at each request for `/readyz`. */
  readonly onProbe: () => void;
}

/** `/livez`, `/readyz` and `/metrics`, for those who watch over the process. */
export function probes(deps: ProbesDeps): Router {
  const router = Router({ caseSensitive: true });
  router.use(['/livez', '/readyz', '/metrics'], (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/livez', (_request, response) => void response.json({ alive: true }));
  router.get('/readyz', (request, response) => sendReadiness(deps, request, response));
  router.get('/metrics', (_request, response) => sendMetrics(deps, response));
  return router;
}

async function sendReadiness(deps: ProbesDeps, request: Request, response: Response): Promise<void> {
  const excluded = excludedBy(request);
  deps.onProbe();
  const found = deps.isStopping() ? { process: 'It is being stopped.' } : without(await deps.unready(), excluded);
  const ready = Object.keys(found).length === 0;
  // The primary answers in its place: a process without its replica is as ready as one with it.
  const replica = await deps.replica();
  response.status(ready ? 200 : 503).json({ ready, not_ready: found, ...(replica !== null && { replica }) });
}

async function sendMetrics({ metrics }: ProbesDeps, response: Response): Promise<void> {
  response.type(metrics.contentType).send(await metrics.text());
}

/** `?exclude=market,queue`: parts that the caller can do without. */
function excludedBy({ query }: Request): ReadonlySet<string> {
  const { exclude } = query;
  if (exclude === undefined) return new Set();
  const named = typeof exclude === 'string' ? exclude.split(',') : [];
  if (named.length > 0 && named.every(isPart)) return new Set(named);
  throw refused('exclude', `one or more of ${PARTS.join(', ')}, with commas and without spaces`, exclude);
}

function isPart(name: string): name is Part {
  return PARTS.some((part) => part === name);
}

function without(found: Unready, excluded: ReadonlySet<string>): Unready {
  return Object.fromEntries(Object.entries(found).filter(([part]) => !excluded.has(part)));
}
