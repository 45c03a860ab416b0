import { realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type DatabaseConnection, withClient } from './connection.ts';
import { claimServer, type Claim } from './embedded-postgres/claim.ts';
import { clusterOwner, ensureCluster, makeFolder, refusingFolder } from './embedded-postgres/cluster.ts';
import { findPostmaster, hastenStop, stopPostmaster } from './embedded-postgres/postmaster.ts';
import { chooseRunner, locatePrograms } from './embedded-postgres/runner.ts';
import { ensureServer, maintenance, socketFolderOf } from './embedded-postgres/server.ts';
import { reason } from './failures.ts';
import { SECOND } from '../rules/hours.ts';

interface EmbeddedPostgresOptions {
  /** The service's data folder, created if missing; PostgreSQL uses `postgres` in it. */
  readonly dataDir: string;
  readonly log?: (message: string, fields?: object) => void;
  /** Default true: commits survive a power failure. False is faster, for data that may be lost. */
  readonly durable?: boolean;
  /** Aborts the start before a server has begun; a server that has begun must be stopped. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /** The database `hourcast`, empty after the first start. */
  readonly connection: DatabaseConnection;
  /** Stops the server and waits for the end of its processes. Safe to call twice. */
  stop(): Promise<void>;
}

const DATABASE = 'hourcast';
const WATCH_MS = 2 * SECOND;

/**
 * A PostgreSQL server on `dataDir`, ready for queries: created at the first start, started again later, adopted when a
 * killed service left it running. It outlives this process unless `stop` is called, and is restarted after a crash or a
 * stop by others.
 * Throws a `StartError` if it cannot run here or another service uses the folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const started = performance.now();
  const dataDir = await refusingFolder(options.dataDir, () => makeFolder(options.dataDir));
  const cluster = clusterOf(dataDir);
  const bringUp = await serverOn(dataDir, options);
  options.signal?.throwIfAborted();
  const { socketFolder, adopted } = await bringUp();
  const connection = maintenance(socketFolder);
  const claim = await claimServer({
    connection,
    dataDir,
    revive: async (noMore) => void (await bringUp(noMore)),
    log,
  });
  try {
    await ensureDatabase(connection);
  } catch (error) {
    await stop(cluster, claim);
    throw error;
  }
  const milliseconds = Math.round(performance.now() - started);
  const watched = (): Promise<void> =>
    hastenStop(cluster).catch((error: unknown) => log('PostgreSQL does not stop', { dataDir, reason: reason(error) }));
  const watch = setInterval(() => void watched(), WATCH_MS).unref();
  log(adopted ? 'Took over the running PostgreSQL' : 'Started PostgreSQL', { dataDir, milliseconds });
  return {
    connection: { ...connection, database: DATABASE },
    stop: () => {
      clearInterval(watch);
      return stop(cluster, claim);
    },
  };
}

/** The database of the server that runs on `dataDir`; null if none runs. */
export async function runningPostgres(dataDir: string): Promise<DatabaseConnection | null> {
  const running = await findPostmaster(clusterOf(dataDir));
  return running === undefined ? null : { ...maintenance(running.socketFolder), database: DATABASE };
}

/** Stops the server on `dataDir`, if one runs. */
export async function stopEmbeddedPostgres(dataDir: string): Promise<void> {
  const folder = await realpath(dataDir).catch(() => undefined);
  if (folder !== undefined) await stopCluster(clusterOf(folder));
}

const clusterOf = (dataDir: string) => join(dataDir, 'postgres');

/** Returns a function that starts the server on `dataDir`. */
async function serverOn(dataDir: string, { durable = true, signal }: EmbeddedPostgresOptions) {
  const cluster = clusterOf(dataDir);
  const programs = await locatePrograms();
  const runner = await chooseRunner(programs, [dataDir, dirname(socketFolderOf(cluster))], await clusterOwner(cluster));
  await refusingFolder(dataDir, () => ensureCluster(cluster, { programs, runner, durable, signal }));
  return (noMore?: AbortSignal) => ensureServer({ cluster, programs, runner, durable, noMore });
}

async function ensureDatabase(connection: DatabaseConnection): Promise<void> {
  await withClient(connection, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
}

/** Releases the claim first: the server cuts its connection while it stops. */
async function stop(cluster: string, claim: Claim): Promise<void> {
  await claim.giveUp();
  await stopCluster(cluster);
}

async function stopCluster(cluster: string): Promise<void> {
  await stopPostmaster(cluster);
  await rm(socketFolderOf(cluster), { recursive: true, force: true });
}
