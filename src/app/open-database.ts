import { Client } from 'pg';

import { ADVISORY_LOCKS } from '../entities/advisory-locks.ts';
import { isLostJob } from '../backplane/bullmq-queue.ts';
import { steadyMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { CONNECT_MS, type DatabaseConnection, parseDatabaseUrl } from '../database/connection.ts';
import { runningPostgres, startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { isOutOfReach, isStopped } from '../database/failures.ts';
import { migrate } from '../database/migrate.ts';
import { withStartLock } from '../database/start-lock.ts';
import { checkPort } from '../http/server.ts';
import type { Logger } from '../logger.ts';
import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';

export interface StartContext {
  readonly log: Logger;
  readonly opened: AsyncDisposableStack;
  readonly signal: AbortSignal;
  readonly processId: string;
  readonly randomBytes: (count: number) => Buffer;
}

/** The standby may be down at the start; null without one. */
export function replicaOf(url: string | undefined): DatabaseConnection | null {
  if (url === undefined) return null;
  const connection = parseDatabaseUrl(url);
  if (!connection.host.includes(',')) return connection;
  throw new StartError('DATABASE_READ_URL must name one server, a standby (got several).');
}

/** Finds a taken port before anything is created. A service on the same folder is found by its claim instead. */
export async function checkFreePort(config: Config): Promise<void> {
  if (config.databaseUrl !== undefined || (await runningPostgres(config.dataDir)) === null) await checkPort(config);
}

export async function openDatabase(
  { databaseUrl, dataDir }: Config,
  { log, opened, signal }: StartContext,
): Promise<DatabaseConnection> {
  const warn = (message: string): void => log.warn(message);
  if (databaseUrl !== undefined) {
    const connection = parseDatabaseUrl(databaseUrl);
    await withStartLock({ connection, log, signal }, () => migrate(connection, { warn, signal }));
    return connection;
  }
  const postgres = await startEmbeddedPostgres({
    dataDir,
    signal,
    log: (message, fields) => log.info(fields ?? {}, message),
  });
  opened.defer(() => postgres.stop());
  await migrate(postgres.connection, { warn, signal });
  return postgres.connection;
}

const TWO_ALONE =
  'Another process runs on this database, and not both have REDIS_URL: each counts limits separately, and feeds lag by ' +
  'up to 2 s. Set REDIS_URL in all of them. Ignore this while one process is replacing another.';

/** Only warns: during an upgrade both versions run. Returns a function that ends the claim. */
export async function warnOfOthers(
  connection: DatabaseConnection,
  { alone, log }: Pick<StartContext, 'log'> & { readonly alone: boolean },
): Promise<() => Promise<void>> {
  const client = new Client({ ...connection, connectionTimeoutMillis: CONNECT_MS });
  // A lost connection ends the claim; only a later warning is lost.
  client.on('error', () => {});
  await client.connect();
  if (alone) await client.query('select pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.alone]);
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and objid = $1 and objsubid = 1 and granted
       and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`,
    [ADVISORY_LOCKS.alone],
  );
  if (rowCount !== null && rowCount > 0) log.warn(TWO_ALONE);
  if (!alone) await client.end();
  return () => client.end();
}

/** After a standstill the database cancels slow statements, and jobs move to other workers. */
const isAftermath = (error: unknown): boolean => isStopped(error) || isLostJob(error);

/** Some work still succeeds while connections run out. */
const RECOVERY_DELAY_MS = 3 * SECOND;

export function outageLog(log: Pick<Logger, 'error' | 'warn'>, now: () => number = steadyMs) {
  let outage: { readonly since: number; lastFailure: number } | null = null;
  return {
    /** Logs only the first failure of an outage, and every other error. */
    report: (error: unknown): void => {
      const isOutage = isOutOfReach(error) || (outage !== null && isAftermath(error));
      if (!isOutage) {
        log.error({ err: error }, 'Something failed');
        return;
      }
      if (outage === null) {
        outage = { since: now(), lastFailure: now() };
        log.error({ err: error }, 'The database is out of reach; requests that need it are answered 503');
      }
      outage.lastFailure = now();
    },
    /** Logs the recovery after some time without a failure. */
    reached: (): void => {
      if (outage === null || now() - outage.lastFailure < RECOVERY_DELAY_MS) return;
      const seconds = Math.round((outage.lastFailure - outage.since) / SECOND);
      outage = null;
      log.warn({ seconds }, 'The database is back');
    },
  };
}
