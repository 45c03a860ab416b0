import { Client } from 'pg';

import { isLostJob } from '../backplane/bullmq-queue.ts';
import { steadyMs } from '../clock.ts';
import { type Config, refuse } from '../config.ts';
import { CONNECT_MS, type DatabaseConnection, parseDatabaseUrl } from '../database/connection.ts';
import { runningPostgres, startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { codeOf, isOutOfReach, isStopped } from '../database/failures.ts';
import { migrate } from '../database/migrate.ts';
import { withStartLock } from '../database/start-lock.ts';
import { checkPort } from '../http/server.ts';
import type { Logger } from '../logger.ts';
import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';

/** What PostgreSQL says when an account or a database is refused: for the operator to mend, as an address is. */
const REFUSES_SESSION = /^(28|3D)/;

export interface Starting {
  readonly log: Logger;
  /** Closes what was opened, the last first. */
  readonly opened: AsyncDisposableStack;
  /** Ends the start. */
  readonly signal: AbortSignal;
}

/** Where the replica of the settings answers, which need not be there yet; null where there is none. */
export function replicaOf(url: string | undefined): DatabaseConnection | null {
  if (url === undefined) return null;
  const connection = parseDatabaseUrl(url);
  if (!connection.host.includes(',')) return connection;
  throw new StartError('DATABASE_READ_URL must name one server, a standby (got several).');
}

/** Finds a taken port before anything is made. A service that runs on the same folder is named by its claim on it instead. */
export async function checkPlace({
  databaseUrl,
  dataDir,
  port,
  host,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'port' | 'host'>): Promise<void> {
  if (databaseUrl !== undefined || (await runningPostgres(dataDir)) === null) await checkPort({ port, host });
}

/** The database of the settings, which is migrated; an embedded one is started, and stopped by `opened`. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { log, opened, signal }: Starting,
): Promise<DatabaseConnection> {
  const warn = (message: string): void => log.warn(message);
  if (databaseUrl !== undefined) {
    const connection = parseDatabaseUrl(databaseUrl);
    await withStartLock({ connection, log, signal }, () => migrate(connection, { warn, signal })).catch(
      (cause: unknown) => {
        if (!isOutOfReach(cause) && !REFUSES_SESSION.test(codeOf(cause))) throw cause;
        refuse('The database of DATABASE_URL cannot be used', cause);
      },
    );
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

/** Any fixed number: it names the processes that share nothing but the database among PostgreSQL's advisory locks. */
const ALONE_LOCK = 48_612;

const TWO_ALONE =
  'Another process runs on this database, and not both have REDIS_URL: each counts limits by itself, and feeds lag by ' +
  'up to 2 s. Set REDIS_URL in all of them. Only while one process takes over from another is this as it should be.';

interface OtherProcessesOptions {
  /** Whether this process has no REDIS_URL. */
  readonly alone: boolean;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Warns when a process that shares nothing but the database is not the only one. It refuses nothing: in an upgrade
 * the new process starts while the old one still runs. Returns how to end the claim.
 */
export async function warnOfOthers(
  connection: DatabaseConnection,
  { alone, log }: OtherProcessesOptions,
): Promise<() => Promise<void>> {
  const client = new Client({ ...connection, connectionTimeoutMillis: CONNECT_MS });
  // The claim ends with its connection, and a later process is then not warned: no more is lost.
  client.on('error', () => {});
  await client.connect();
  if (alone) await client.query('select pg_advisory_lock_shared($1)', [ALONE_LOCK]);
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and objid = $1 and objsubid = 1 and granted
       and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`,
    [ALONE_LOCK],
  );
  if (rowCount !== null && rowCount > 0) log.warn(TWO_ALONE);
  if (!alone) await client.end();
  return () => client.end();
}

/** What the service's own work makes of the database's absence: many failures, of which one line is worth reading. */
export interface OutageLog {
  /** Logs an error: of an outage the first failure alone, and nothing that follows from it; any other error each time. */
  readonly report: (error: unknown) => void;
  /** Notes that the database responded. Once it has done so for a while without a failure, the recovery is logged. */
  readonly reached: () => void;
}

/** A database that stood still and goes on stops what has taken too long by then, and gives jobs to other workers. */
const isAftermath = (error: unknown): boolean => isStopped(error) || isLostJob(error);

/** Where connections run out, some work goes on while other work fails. */
const CALM_MS = 3 * SECOND;

export function outageLog(log: Pick<Logger, 'error' | 'warn'>, now: () => number = steadyMs): OutageLog {
  let outage: { readonly since: number; lastFailure: number } | null = null;
  return {
    report(error) {
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
    reached() {
      if (outage === null || now() - outage.lastFailure < CALM_MS) return;
      const seconds = Math.round((outage.lastFailure - outage.since) / SECOND);
      outage = null;
      log.warn({ seconds }, 'The database is back');
    },
  };
}
