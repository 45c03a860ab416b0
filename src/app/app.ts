import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { openBackplane } from '../backplane/open-backplane.ts';
import { type Config, ROLES } from '../config.ts';
import { nameOfProcess, shareOut } from '../database/connection-shares.ts';
import { refuseUnusable } from '../database/failures.ts';
import { openPools } from '../database/pools.ts';
import { listen } from '../http/server.ts';
import type { Logger } from '../logger.ts';
import { processMetrics } from '../operating/metrics.ts';
import { MINUTE } from '../rules/hours.ts';
import { assemble, type Parts } from './assemble.ts';
import { packageVersion } from '../command-line.ts';
import { type ClockSettings, openClock } from './open-clock.ts';
import { notePepper } from './note-pepper.ts';
import { checkFreePort, openDatabase, outageLog, replicaOf, type StartContext, warnOfOthers } from './open-database.ts';
import { openFeed } from './open-feed.ts';
import { checkFolder, checkPrices, openMarket } from './open-market.ts';

export type App = Awaited<ReturnType<typeof startApp>>;

/** The composition root. If a later part fails or `signal` aborts, the opened parts are closed and the reason is thrown. */
export async function startApp(config: Config, log: Logger, signal: AbortSignal) {
  const opened = new AsyncDisposableStack();
  try {
    const duties = ROLES[config.role];
    const starting = { log, opened, signal, processId: randomBytes(8).toString('hex'), randomBytes };
    const { server, prices } =
      duties === null
        ? await openFeed(config, starting)
        : await openService(config, duties, starting).catch((error: unknown) => refuseDatabase(config, error));
    collectGarbage();
    const url = await listen(server, { port: config.port, host: config.host });
    signal.throwIfAborted();
    return { url, prices, stop: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** The embedded PostgreSQL has no address that a message could name. */
function refuseDatabase({ databaseUrl }: Config, error: unknown): never {
  if (databaseUrl === undefined) throw error;
  return refuseUnusable(error);
}

type Duties = Pick<Parts, 'serves' | 'works'>;

async function openService(config: Config, duties: Duties, starting: StartContext) {
  const parts = { ...(await openParts(config, starting)), ...duties };
  const { http, stop } = await assemble(parts);
  starting.opened.defer(stop);
  const { source, warning } = parts.prices.market;
  return { server: http.server, prices: { source, warning } };
}

async function openParts(config: Config, starting: StartContext): Promise<Omit<Parts, keyof Duties>> {
  const { log, opened, signal, processId } = starting;
  const { report, reached } = outageLog(log);
  await checkFolder(config);
  await checkFreePort(config);
  const { databaseReadUrl, clockStart, clockSpeed } = config;
  const connection = {
    ...(await openDatabase(config, starting)),
    fallback_application_name: nameOfProcess(processId, config.databaseConnections),
  };
  signal.throwIfAborted();
  opened.defer(await warnOfOthers(connection, { alone: config.redis === null, log }));
  const connections = shareOut(config.databaseConnections, { alone: config.redis === null });
  const pools = opened.use(await openPools(connection, { connections, replica: replicaOf(databaseReadUrl) }));
  const newEm = pools.newEm.jobs;
  const pricesFit: ClockSettings['checkPrices'] = (stored, facts) => checkPrices(config, stored, facts);
  const timing = { clockStart, clockSpeed, checkPrices: pricesFit };
  const clock = await openClock(timing, { connection, newEm, log, signal });
  await notePepper(newEm(), config.keyPepper, log);
  signal.throwIfAborted();
  const prices = await openMarket(config, { newEm, clock, random, report });
  opened.defer(() => prices.stop());
  log.info({ source: prices.market.source }, `Prices: ${prices.choice}, since ${prices.why}`);
  const { redis, rateLimits } = config;
  const warn = (message: string, fields: object = {}): void => log.warn(fields, message);
  const backplane = await openBackplane({ redis, rateLimits, connection, processId, report, warn });
  opened.defer(() => backplane.close());
  signal.throwIfAborted();
  const basics = { pools, clock, prices, backplane, randomBytes, log, report, reached };
  return { ...basics, ...serviceSettings(config) };
}

function serviceSettings(config: Config) {
  const { keyPepper, picks, webhooks, corsOrigins, trustProxy, adminToken } = config;
  return {
    witnesses: config.logWitnesses,
    keepMonths: config.keepMonths,
    settings: { keyPepper, lockMs: config.lockMinutes * MINUTE, picks, webhooks, version: packageVersion() },
    http: { corsOrigins, trustProxy },
    operating: { adminToken, processMetrics: processMetrics() },
  };
}

/** The start leaves 130 MB of young objects and free space, which an idle V8 does not return to the system. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}

function random(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}
