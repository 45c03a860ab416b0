import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { parseDatabaseUrl, type DatabaseConnection } from './backplane/database-connection.ts';
import { startEmbeddedPostgres } from './backplane/embedded-postgres.ts';
import { memoryLimiter, noLimiter } from './backplane/memory-limiter.ts';
import { postgresQueues } from './backplane/postgres-queue.ts';
import { anchorClock } from './clock-anchor.ts';
import { clockFrom, realNow } from './clock.ts';
import type { Config } from './config.ts';
import { migrate } from './entities/migrate.ts';
import { openOrm } from './entities/orm.ts';
import { openHttp } from './http.ts';
import { startJobs } from './jobs/jobs.ts';
import type { Logger } from './logger.ts';
import { openMarket } from './market/choose.ts';
import { predictionWriter } from './resolvers/prediction-writer.ts';
import { makeSchema } from './resolvers/schema.ts';
import { MINUTE } from './rules/hours.ts';

const PACKAGE = new URL('../package.json', import.meta.url);

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
  const report = (error: unknown): void => log.error({ err: error }, 'Something failed');
  const [market, connection] = await Promise.all([openMarket(config.market), openDatabase(config, log, opened)]);
  await migrate(connection);
  const orm = await openOrm(connection);
  opened.defer(() => orm.close(true));
  const newEm = (): SqlEntityManager => orm.em.fork();
  const clock = clockFrom(await anchorClock(newEm(), config, realNow()));
  const lockMs = config.lockMinutes * MINUTE;
  const writer = predictionWriter(newEm, clock, lockMs);
  const jobs = await startJobs({ newEm, market, clock, openQueue: postgresQueues(connection, report), report });
  opened.defer(() => jobs.close());
  const http = await openHttp({
    schema: makeSchema(),
    services: {
      newEm,
      clock,
      market,
      limiter: config.rateLimits ? memoryLimiter() : noLimiter,
      writer,
      reconcile: jobs.reconcile,
      randomBytes,
      keyPepper: config.keyPepper,
      lockMs,
      version: packageVersion(),
    },
    trustProxy: config.trustProxy,
    report,
  });
  opened.defer(() => http.close());
  const url = await listen(http.server, config);
  return { url, marketSource: market.source, marketWarning: market.warning };
}

async function openDatabase(config: Config, log: Logger, opened: AsyncDisposableStack): Promise<DatabaseConnection> {
  if (config.databaseUrl !== undefined) return parseDatabaseUrl(config.databaseUrl);
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message, fields) => log.info(fields ?? {}, message),
  });
  opened.defer(() => postgres.stop());
  return postgres.connection;
}

function listen(server: Awaited<ReturnType<typeof openHttp>>['server'], { port, host }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
      resolve(`http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`);
    });
  });
}

function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return version;
}
