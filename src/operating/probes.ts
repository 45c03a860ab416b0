import { type Request, type Response, Router } from 'express';

import { DomainError } from '../rules/errors.ts';
import type { Metrics } from './metrics.ts';
import { type Part, PARTS, type Unready } from './readiness.ts';

export interface ProbesNeeds {
  readonly unready: () => Promise<Unready>;
  readonly metrics: Metrics;
  /** Whether the process is on its way out. */
  readonly isStopping: () => boolean;
  /** Called when somebody asks whether the process is ready. */
  readonly onAsked: () => void;
}

/** `/livez`, `/readyz` and `/metrics`, for those who watch over the process. */
export function probes(needs: ProbesNeeds): Router {
  const router = Router({ caseSensitive: true });
  router.use(['/livez', '/readyz', '/metrics'], (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/livez', (_request, response) => void response.json({ alive: true }));
  router.get('/readyz', (request, response) => tellReadiness(needs, request, response));
  router.get('/metrics', (_request, response) => tellMetrics(needs, response));
  return router;
}

async function tellReadiness(needs: ProbesNeeds, request: Request, response: Response): Promise<void> {
  const excluded = excludedBy(request);
  needs.onAsked();
  const found = needs.isStopping() ? { process: 'It is being stopped.' } : without(await needs.unready(), excluded);
  const ready = Object.keys(found).length === 0;
  response.status(ready ? 200 : 503).json({ ready, not_ready: found });
}

async function tellMetrics({ metrics }: ProbesNeeds, response: Response): Promise<void> {
  response.type(metrics.contentType).send(await metrics.text());
}

/** `?exclude=market,queue`: parts that the asker can do without. */
function excludedBy({ query }: Request): ReadonlySet<string> {
  const { exclude } = query;
  if (exclude === undefined) return new Set();
  const named = typeof exclude === 'string' ? exclude.split(',') : [];
  if (named.length > 0 && named.every(isPart)) return new Set(named);
  throw new DomainError('BAD_REQUEST', `exclude takes parts out of ${PARTS.join(', ')}, separated by commas.`);
}

function isPart(name: string): name is Part {
  return PARTS.some((part) => part === name);
}

function without(found: Unready, excluded: ReadonlySet<string>): Unready {
  return Object.fromEntries(Object.entries(found).filter(([part]) => !excluded.has(part)));
}
