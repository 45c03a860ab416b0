import { setTimeout as wait } from 'node:timers/promises';

import { type Express, type RequestHandler, Router } from 'express';
import type { Registry } from 'prom-client';

import type { Backplane, Limiter, WatchedQueue } from '../backplane/backplane.ts';
import { steadyMs } from '../clock.ts';
import type { PoolUse } from '../database/timed-pool.ts';
import type { Reads } from '../database/reads.ts';
import type { LogFollower } from '../feed/log-follower.ts';
import { beforeDeadline, withDeadline } from '../deadline.ts';
import { noStoreApp } from '../http/cache-headers.ts';
import { type RequestLog, requestLog } from '../http/request-log.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { errorReporter, sendErrors } from '../http/errors.ts';
import { singleFlight } from '../in-flight.ts';
import type { Logger } from '../logger.ts';
import { SECOND } from '../rules/hours.ts';
import { actorOf, adminAccess, countOperators } from './admin-access.ts';
import { adminLists } from './admin-lists.ts';
import { adminRoutes } from './admin-routes.ts';
import { type ActingDeps, carryOut, type OrderRequest } from './carry-out.ts';
import { deskRoutes } from './desk/desk-routes.ts';
import { openMetrics } from './metrics.ts';
import { probes, type UnreadyParts, unreadyParts } from './readiness.ts';
import { roundFigures } from './round-figures.ts';
import type { Observation } from './service-metrics.ts';

export interface OperatingDeps extends ActingDeps {
  /** Null in a process without a feed. */
  readonly feed: Pick<LogFollower, 'lastSeq'> | null;
  readonly limiter: Limiter;
  readonly backplane: Pick<Backplane, 'status'>;
  readonly queue: WatchedQueue;
  /** Database pools by name. */
  readonly pools: () => Readonly<Record<string, PoolUse>>;
  readonly reads: Pick<Reads, 'look' | 'figures'>;
  /** Unset: no admin endpoints. */
  readonly adminToken: string | undefined;
  /** Metrics of the process; null if several services share it. */
  readonly processMetrics: Registry | null;
  /** The wait of a stop for a load balancer's next probe, in real milliseconds; default 2 s. */
  readonly noticeMs?: number | undefined;
  readonly log: Logger;
}

export interface OperatorRoutes {
  /** Request ids, metrics and logs. */
  readonly requests: RequestLog;
  /** Before all other routes: `requests`, headers, and the endpoints. */
  readonly routes: readonly RequestHandler[];
  readonly onUnreadable: (status: number) => void;
  /** Handles faults, and counts refusals. */
  readonly report: (error: unknown) => void;
  /** Marks the process as not ready. If a load balancer probed in the last 15 s, waits 2 s for its next probe. */
  readonly markNotReady: () => Promise<void>;
}

/** A probe within this time means that another follows. */
const PROBES_REGULARLY_MS = 15 * SECOND;
const NOTICE_MS = 2 * SECOND;
/** A queue waits for its store. */
const QUEUES_MS = 2 * SECOND;

/** The operators' endpoints. `subscribers` counts the feed's connections by transport. */
export function operatorRoutes(
  deps: OperatingDeps,
  subscribers: ProbeDeps['subscribers'] = () => ({}),
): OperatorRoutes {
  const unready = singleFlight(() => unreadyParts({ ...deps, status: () => deps.backplane.status() }));
  const { observeAll, ...operator } = probeRoutes({
    ...deps,
    unready,
    subscribers,
    replica: deps.reads.look,
    observe: (found) => observe(deps, found),
  });
  const { adminToken } = deps;
  if (adminToken === undefined) return operator;
  const admin = adminEndpoints({ ...deps, report: operator.report }, adminToken, observeAll);
  return { ...operator, routes: [...operator.routes, admin] };
}

export interface ProbeDeps extends Pick<
  OperatingDeps,
  'processMetrics' | 'noticeMs' | 'randomBytes' | 'log' | 'report'
> {
  readonly unready: () => Promise<UnreadyParts>;
  readonly subscribers: () => Readonly<Record<string, number>>;
  readonly replica: () => Promise<string | null>;
  readonly observe: (found: Pick<Observation, 'unready' | 'subscribers'>) => Promise<Observation>;
}

/** Probes and metrics. */
export function probeRoutes(deps: ProbeDeps): OperatorRoutes & { readonly observeAll: () => Promise<Observation> } {
  const { unready, subscribers, replica, randomBytes, log } = deps;
  const observeAll = async () => deps.observe({ unready: await unready(), subscribers: subscribers() });
  const metrics = openMetrics({ observe: observeAll, process: deps.processMetrics });
  const report = errorReporter(deps.report, metrics.countRefused);
  let stopping = false;
  let probedAt = Number.NEGATIVE_INFINITY;
  const routes = Router({ caseSensitive: true });
  const onProbe = (): void => {
    probedAt = steadyMs();
  };
  routes.use(probes({ unready, replica, metrics, isStopping: () => stopping, onProbe }));
  routes.use(sendErrors(report));
  const requests = requestLog({ randomBytes, registry: metrics.registry, log });
  return {
    requests,
    routes: [requests.handler, securityHeaders, routes],
    onUnreadable: metrics.countUnreadable,
    report,
    observeAll,
    async markNotReady() {
      stopping = true;
      if (steadyMs() - probedAt < PROBES_REGULARLY_MS) await wait(deps.noticeMs ?? NOTICE_MS);
    },
  };
}

function adminEndpoints(deps: OperatingDeps, token: string, observeAll: () => Promise<Observation>): Express {
  const { newEm, clock, limiter, queue } = deps;
  const jobs = () => orNullIfUnavailable(() => queue.jobs());
  // Answers may contain a new key.
  const app = noStoreApp('/admin');
  const admin = {
    lists: adminLists({ newEm, clock, limiter, observe: observeAll, jobs }),
    carryOut: (given: OrderRequest) => carryOut(deps, given),
    actorOf: actorOf(token),
  };
  app.use('/admin', countOperators(limiter));
  app.use(deskRoutes({ ...admin, token, clock, report: deps.report }));
  app.use('/admin', adminAccess(token));
  app.use(adminRoutes(admin));
  return app.use(sendErrors(deps.report));
}

async function observe(deps: OperatingDeps, found: Pick<Observation, 'unready' | 'subscribers'>): Promise<Observation> {
  const { feed, market, clock, backplane, queue } = deps;
  const rounds = 'database' in found.unready ? null : await roundFigures(deps.newEm());
  // In a process that serves no reads, nothing else probes it.
  await deps.reads.look();
  return {
    ...found,
    rounds,
    queues: await orNullIfUnavailable(async () => ({ [queue.name]: await queue.counts() })),
    shared: backplane.status(),
    pools: deps.pools(),
    replica: deps.reads.figures(),
    feed,
    market,
    clock,
  };
}

/** The queues' counts, or null if they do not respond, which `/readyz` and the log report. */
async function orNullIfUnavailable<Found>(look: () => Promise<Found>): Promise<Found | null> {
  try {
    return await withDeadline(QUEUES_MS, () => beforeDeadline(look()));
  } catch {
    return null;
  }
}
