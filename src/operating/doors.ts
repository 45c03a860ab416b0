import { setTimeout as wait } from 'node:timers/promises';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RequestHandler, Router } from 'express';
import type { Registry } from 'prom-client';

import type { Backplane } from '../backplane/backplane.ts';
import type { Limiter } from '../backplane/limiter.ts';
import { type Clock, steadyMs } from '../clock.ts';
import type { PoolUse } from '../entities/pool-use.ts';
import type { Feed } from '../feed/feed.ts';
import { ADMINISTRATION } from '../jobs/administration.ts';
import type { Logger } from '../logger.ts';
import type { Market } from '../market/market.ts';
import { within } from '../patience.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';
import { actorOf, adminAccess } from './admin-access.ts';
import { adminLists } from './admin-lists.ts';
import { adminRoutes } from './admin-routes.ts';
import { answerErrors } from './answers.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { probes } from './probes.ts';
import { triesOf, unlessAway } from './queue-figures.ts';
import { queuePage } from './queue-page.ts';
import { unreadyParts } from './readiness.ts';
import { requestIds } from './request-ids.ts';
import { requestWatch } from './request-watch.ts';
import { roundFigures } from './round-figures.ts';
import { securityHeaders } from './security-headers.ts';
import type { Observed } from './service-metrics.ts';
import { singleFlight } from './single-flight.ts';

/** What the operators' doors look at and act upon. */
export interface OperatingNeeds {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  readonly market: Market;
  /** Null in a process that follows no feed. */
  readonly feed: Pick<Feed, 'lastSeq'> | null;
  readonly limiter: Limiter;
  readonly backplane: Pick<Backplane, 'status' | 'counts' | 'nativeQueues'>;
  /** The pools of database connections, by name. */
  readonly pools: () => Readonly<Record<string, PoolUse>>;
  /** Called after a commit that has written events. */
  readonly announce: () => void;
  /** Unset: the doors that take it are not there. */
  readonly adminToken: string | undefined;
  /** The process's own figures; null where several services share a process. */
  readonly processMetrics: Registry | null;
  /** How long a stop waits for those who ask whether the process is ready to ask again, where that is not the usual. */
  readonly turnAwayMs?: number;
  readonly randomBytes: (count: number) => Buffer;
  readonly log: Logger;
  readonly report: (error: unknown) => void;
}

export interface OperatorDoors {
  /** Comes before everything else: ids, measures, log lines, headers. */
  readonly watch: readonly RequestHandler[];
  readonly routes: Router;
  readonly onUnreadable: (status: number) => void;
  /** From now on the process is not ready. Waits a moment where somebody has been asking, so that they hear of it. */
  turnAway(): Promise<void>;
}

/** Whoever asked within this time will ask again. */
const ASKS_REGULARLY_MS = 15 * SECOND;
const TURN_AWAY_MS = 2 * SECOND;
/** How long an action may wait for the database; exchanges have bounds of their own. */
const ACTION_MS = MINUTE;

/** The doors for operators. `subscribers` counts the feed's connections, by door. */
export function operatorDoors(
  needs: OperatingNeeds,
  subscribers: () => Readonly<Record<string, number>> = () => ({}),
): OperatorDoors {
  const unready = singleFlight(() => unreadyParts({ ...needs, status: () => needs.backplane.status() }));
  const metrics = openMetrics({
    observe: async () => observe(needs, { unready: await unready(), subscribers: subscribers() }),
    process: needs.processMetrics,
  });
  let stopping = false;
  let asked = Number.NEGATIVE_INFINITY;
  const routes = Router({ caseSensitive: true });
  const onAsked = (): void => {
    asked = steadyMs();
  };
  routes.use(probes({ unready, metrics, isStopping: () => stopping, onAsked }));
  if (needs.adminToken !== undefined) routes.use(adminDoors(needs, needs.adminToken));
  routes.use(answerErrors(needs.report));
  return {
    watch: [watch(needs, metrics), securityHeaders()],
    routes,
    onUnreadable: metrics.countUnreadable,
    async turnAway() {
      stopping = true;
      if (steadyMs() - asked < ASKS_REGULARLY_MS) await wait(needs.turnAwayMs ?? TURN_AWAY_MS);
    },
  };
}

function watch({ randomBytes, log }: OperatingNeeds, { measure }: Metrics): RequestHandler {
  return requestWatch({ idFor: requestIds(randomBytes), measure, log });
}

function adminDoors(needs: OperatingNeeds, token: string): Router {
  const { newEm, clock, limiter, backplane } = needs;
  const router = Router({ caseSensitive: true });
  router.use('/admin', adminAccess({ token, limiter }));
  router.use(queuePage(() => backplane.nativeQueues()));
  router.use(
    adminRoutes({
      lists: adminLists({ newEm, clock, triesOf: (id) => unlessAway(() => triesOf(backplane.nativeQueues(), id)) }),
      act: (action, roundId, order) => within(ACTION_MS, () => ADMINISTRATION[action](needs, roundId, order)),
      actorOf: actorOf(token),
    }),
  );
  return router;
}

async function observe(needs: OperatingNeeds, found: Pick<Observed, 'unready' | 'subscribers'>): Promise<Observed> {
  const { feed, market, clock, backplane } = needs;
  const rounds = 'database' in found.unready ? null : await roundFigures(needs.newEm());
  return {
    ...found,
    rounds,
    queues: await unlessAway(() => backplane.counts()),
    shared: backplane.status(),
    pools: needs.pools(),
    feed,
    market,
    clock,
  };
}
