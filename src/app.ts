import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { parseDatabaseUrl, type DatabaseConnection } from './backplane/database-connection.ts';
import { startEmbeddedPostgres } from './backplane/embedded-postgres.ts';
import { localBus } from './backplane/local-bus.ts';
import { memoryLimiter, noLimiter } from './backplane/memory-limiter.ts';
import { postgresQueues } from './backplane/postgres-queue.ts';
import { anchorClock } from './clock-anchor.ts';
import { clockFrom, realNow } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import { migrate } from './entities/migrate.ts';
import { openOrm } from './entities/orm.ts';
import { openFeed } from './feed/feed.ts';
import { openHttp } from './http.ts';
import { startJobs } from './jobs/jobs.ts';
import { STATEMENT_MS } from './limits.ts';
import type { Logger } from './logger.ts';
import { openMarket } from './market/choose.ts';
import { predictionWriter } from './resolvers/prediction-writer.ts';
import { makeSchema } from './resolvers/schema.ts';
import { MINUTE } from './rules/hours.ts';

const PACKAGE = new URL('../package.json', import.meta.url);

/** Connections for the API's statements, which are cut when they take too long; jobs and exports have their own. */
const API_POOL = 10;

/** What the system or PostgreSQL says when no session can be had: address, account, database, connections. */
const CANNOT_CONNECT = /^(E[A-Z]|08|28|3D|53|57P)/;

const LISTENING_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop what listens there, or set PORT to a free one.',
  EACCES: 'is not for this account: set PORT to one from 1024 on.',
  EADDRNOTAVAIL: 'cannot be listened on: this machine has no such address; set HOST to one of its own.',
  ENOTFOUND: 'cannot be listened on: the name is not known; set HOST to an address of this machine.',
};

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
  const market = await openMarket(config.market).catch((cause: unknown) => refuse('MARKET cannot be used', cause));
  const connection = await openDatabase(config, log, opened);
  const orm = await openOrm(connection);
  opened.defer(() => orm.close(true));
  const apiOrm = await openOrm(connection, API_POOL, STATEMENT_MS);
  opened.defer(() => apiOrm.close(true));
  const newEm = (): SqlEntityManager => orm.em.fork();
  const clock = clockFrom(await anchorClock(newEm(), config, realNow()));
  const lockMs = config.lockMinutes * MINUTE;
  const writer = predictionWriter(newEm, clock, lockMs);
  const bus = localBus();
  const feed = await openFeed({ newEm, bus, report });
  opened.defer(() => feed.stop());
  // BullMQ does not wait for its last connections to close: that PostgreSQL then cuts them is no news.
  let jobsHaveEnded = false;
  const openQueue = postgresQueues(connection, (error) => void (jobsHaveEnded || report(error)));
  const jobs = await startJobs({ newEm, market, clock, openQueue, announce: bus.nudge, report });
  opened.defer(async () => {
    await jobs.close();
    jobsHaveEnded = true;
  });
  const http = await openHttp({
    schema: makeSchema(),
    services: {
      newEm: () => apiOrm.em.fork(),
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
    newExportEm: newEm,
    feed,
    trustProxy: config.trustProxy,
    report,
  });
  opened.defer(() => http.close());
  const url = await listen(http.server, config);
  return { url, marketSource: market.source, marketWarning: market.warning };
}

async function openDatabase(config: Config, log: Logger, opened: AsyncDisposableStack): Promise<DatabaseConnection> {
  if (config.databaseUrl !== undefined) {
    const connection = parseDatabaseUrl(config.databaseUrl);
    await migrate(connection).catch((cause: unknown) => {
      if (CANNOT_CONNECT.test(codeOf(cause))) refuse('The database of DATABASE_URL cannot be used', cause);
      throw cause;
    });
    return connection;
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message, fields) => log.info(fields ?? {}, message),
  });
  opened.defer(() => postgres.stop());
  await migrate(postgres.connection);
  return postgres.connection;
}

function listen(server: Awaited<ReturnType<typeof openHttp>>['server'], { port, host }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const advice = LISTENING_ADVICE[codeOf(cause)];
      if (advice === undefined) reject(cause);
      else reject(new ConfigError(`Port ${port} on ${host} ${advice}`, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
      resolve(`http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`);
    });
  });
}

/** Ends the start with a sentence for the operator. */
function refuse(what: string, cause: unknown): never {
  throw new ConfigError(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return version;
}
