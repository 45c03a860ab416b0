import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { openBackplane } from './backplane/choose.ts';
import { anchorClock } from './clock-anchor.ts';
import { clockFrom, realNow } from './clock.ts';
import { type Config, refuse } from './config.ts';
import { openOrm } from './entities/orm.ts';
import { openFeed } from './feed/feed.ts';
import { type Http, openHttp, openOperatorDoors } from './http.ts';
import { startJobs } from './jobs/jobs.ts';
import { STATEMENT_MS } from './limits.ts';
import { listen } from './listening.ts';
import type { Logger } from './logger.ts';
import { type MarketNeeds, openMarketOf, openNamedMarket, refuseOtherSpeed } from './market-of-database.ts';
import type { OpenedMarket } from './market/choose.ts';
import { oneAtATime, openDatabase } from './open-database.ts';
import { warnOfOthers } from './other-processes.ts';
import { outageLog } from './outage-log.ts';
import type { OperatingNeeds } from './operating/doors.ts';
import { processMetrics } from './operating/metrics.ts';
import { predictionWriter } from './resolvers/prediction-writer.ts';
import { makeSchema } from './resolvers/schema.ts';
import { ROLES } from './roles.ts';
import { MINUTE, SECOND } from './rules/hours.ts';
import { waitAtMost } from './wait-at-most.ts';

const PACKAGE = new URL('../package.json', import.meta.url);

/** Connections for the API's statements, which are cut when they take too long; jobs and exports have their own. */
const API_POOL = 10;

/** How long, in real milliseconds, connections to the database may take to end: who is stuck on one is left behind. */
const FAREWELL_MS = SECOND;

export interface App {
  readonly url: string;
  /** Where market data comes from, such as `simulated`. */
  readonly marketSource: string;
  readonly marketWarning: string | null;
  /** Ends everything, the last opened first. */
  stop(): Promise<void>;
}

/**
 * The composition root: opens every part, gives each what it needs, and answers when the service is ready. What was
 * opened is closed again when a later part fails.
 */
export async function startApp(config: Config, log: Logger): Promise<App> {
  const opened = new AsyncDisposableStack();
  try {
    const app = await open(config, log, opened);
    return { ...app, stop: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function open(config: Config, log: Logger, opened: AsyncDisposableStack): Promise<Omit<App, 'stop'>> {
  const { report, reached } = outageLog(log);
  const ready = await openNamedMarket(config.market).catch(refuseMarket);
  const connection = await openDatabase(config, log, opened);
  const alone = config.redis === null;
  opened.defer(await warnOfOthers(connection, { alone, warn: (message) => log.warn(message) }));
  const orm = await openOrm(connection);
  opened.defer(() => waitAtMost(FAREWELL_MS, orm.close(true)));
  const apiOrm = await openOrm(connection, API_POOL, STATEMENT_MS);
  opened.defer(() => waitAtMost(FAREWELL_MS, apiOrm.close(true)));
  const newEm = (): SqlEntityManager => orm.em.fork();
  await refuseOtherSpeed({ config, newEm }).catch(refuseMarket);
  const clock = clockFrom(await oneAtATime(connection, () => anchorClock(newEm(), config, realNow())), {
    onSet: (ms) => log.warn({ seconds: Math.round(ms / SECOND) }, 'The machine’s clock was set'),
  });
  const prices = await openPrices({ config, ready, newEm, clock, random, report }, log);
  opened.defer(() => prices.stop());
  const { market } = prices;
  const lockMs = config.lockMinutes * MINUTE;
  const newApiEm = (): SqlEntityManager => apiOrm.em.fork();
  const writer = predictionWriter(newApiEm, clock, lockMs);
  const backplane = await openBackplane({
    redis: config.redis,
    connection,
    rateLimits: config.rateLimits,
    processId: randomBytes(8).toString('hex'),
    report,
    tell: (message, fields) => log.warn(fields ?? {}, message),
  });
  opened.defer(() => backplane.close());
  const { bus, limiter } = backplane;
  const feed = await openFeed({ newEm, bus, report, reached });
  opened.defer(() => feed.stop());
  const { serves, works } = ROLES[config.role];
  const { openQueue } = backplane;
  const jobs = await startJobs({ newEm, market, clock, openQueue, works, announce: bus.nudge, report });
  opened.defer(async () => {
    // First, so that no job waits for an exchange that hangs.
    await prices.stop();
    await jobs.close();
  });
  const operating: OperatingNeeds = {
    newEm,
    clock,
    market,
    feed,
    limiter,
    backplane,
    pools: () => ({ api: apiOrm.poolUse(), jobs: orm.poolUse() }),
    announce: bus.nudge,
    adminToken: config.adminToken,
    processMetrics: processMetrics(),
    randomBytes,
    log,
    report,
  };
  const { trustProxy } = config;
  const openAllDoors = (): Promise<Http> =>
    openHttp({
      operating,
      schema: makeSchema(),
      services: {
        newEm: newApiEm,
        clock,
        market,
        limiter,
        writer,
        reconcile: jobs.reconcile,
        randomBytes,
        keyPepper: config.keyPepper,
        lockMs,
        version: packageVersion(),
      },
      newExportEm: newEm,
      feed,
      trustProxy,
      report,
    });
  const http = serves ? await openAllDoors() : openOperatorDoors({ operating, trustProxy });
  opened.defer(() => http.close());
  const url = await listen(http.server, config);
  return { url, marketSource: market.source, marketWarning: market.warning };
}

async function openPrices(needs: MarketNeeds, log: Logger): Promise<OpenedMarket> {
  const prices = await openMarketOf(needs).catch(refuseMarket);
  log.info({ source: prices.market.source }, `Prices: ${prices.choice}, since ${prices.why}`);
  return prices;
}

function refuseMarket(cause: unknown): never {
  return refuse('MARKET cannot be used', cause);
}

/** A number from 0 to below 1, for the jitter of retries. */
function random(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}

function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return version;
}
