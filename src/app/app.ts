import { randomBytes } from 'node:crypto';

import { openBackplane } from '../backplane/open-backplane.ts';
import { type Config, refuse, ROLES } from '../config.ts';
import { openPools } from '../database/pools.ts';
import { listen } from '../http/server.ts';
import type { Logger } from '../logger.ts';
import { processMetrics } from '../operating/metrics.ts';
import { MINUTE } from '../rules/hours.ts';
import { assemble } from './assemble.ts';
import { packageVersion } from './command-line.ts';
import { openClock } from './open-clock.ts';
import { openDatabase, outageLog, replicaOf, type Starting, warnOfOthers } from './open-database.ts';
import { type MarketDeps, type OpenedMarket, openMarketOf, openNamedMarket, refuseOtherSpeed } from './open-market.ts';

export interface App {
  readonly url: string;
  /** Where market data comes from, such as `simulated`. */
  readonly marketSource: string;
  readonly marketWarning: string | null;
  /** Ends everything, the last opened first. */
  stop(): Promise<void>;
}

/**
 * The composition root: opens every part, assembles the service from them, and returns when it is ready. What was
 * opened is closed again when a later part fails, or when `signal` ends the start: then its reason is thrown.
 */
export async function startApp(config: Config, log: Logger, signal: AbortSignal): Promise<App> {
  const opened = new AsyncDisposableStack();
  try {
    const app = await open(config, { log, opened, signal });
    signal.throwIfAborted();
    return { ...app, stop: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function open(config: Config, starting: Starting): Promise<Omit<App, 'stop'>> {
  const { log, opened, signal } = starting;
  const { report, reached } = outageLog(log);
  const ready = await openNamedMarket(config.market).catch(refuseMarket);
  const connection = await openDatabase(config, starting);
  signal.throwIfAborted();
  const alone = config.redis === null;
  opened.defer(await warnOfOthers(connection, { alone, warn: (message) => log.warn(message) }));
  const pools = opened.use(await openPools(connection, { replica: replicaOf(config) }));
  const newEm = pools.newEm.jobs;
  await refuseOtherSpeed({ config, newEm }).catch(refuseMarket);
  const clock = await openClock(config, { connection, newEm, log, signal });
  signal.throwIfAborted();
  const prices = await openPrices({ config, ready, newEm, clock, random, report }, log);
  opened.defer(() => prices.stop());
  const backplane = await openBackplane({
    ...config,
    connection,
    processId: randomBytes(8).toString('hex'),
    report,
    warn: (message, fields) => log.warn(fields ?? {}, message),
  });
  opened.defer(() => backplane.close());
  signal.throwIfAborted();
  const parts = { pools, clock, prices, backplane, randomBytes, log, report, reached };
  const { http, stop } = await assemble({ ...parts, ...settingsOf(config) });
  opened.defer(stop);
  const url = await listen(http.server, config);
  return { url, marketSource: prices.market.source, marketWarning: prices.market.warning };
}

/** What the settings say of the service that the parts make. */
function settingsOf(config: Config) {
  const { role, adminToken, keyPepper, lockMinutes, picks } = config;
  return {
    ...ROLES[role],
    settings: { keyPepper, lockMs: lockMinutes * MINUTE, picks, version: packageVersion() },
    http: { corsOrigins: config.corsOrigins, trustProxy: config.trustProxy },
    operating: { adminToken, processMetrics: processMetrics() },
  };
}

async function openPrices(deps: MarketDeps, log: Logger): Promise<OpenedMarket> {
  const prices = await openMarketOf(deps).catch(refuseMarket);
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
