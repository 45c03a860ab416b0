import { Client } from 'pg';

import { type DatabaseConnection, parseDatabaseUrl } from './backplane/database-connection.ts';
import { startEmbeddedPostgres } from './backplane/embedded-postgres.ts';
import { codeOf, type Config, refuse } from './config.ts';
import { migrate } from './entities/migrate.ts';
import { isOutOfReach } from './entities/out-of-reach.ts';
import type { Logger } from './logger.ts';

/** What PostgreSQL says when an account or a database is refused: for the operator to mend, as an address is. */
const REFUSES_SESSION = /^(28|3D)/;

/** Any fixed number: it names the making of a database among PostgreSQL's advisory locks. */
const MAKING_LOCK = 48_611;

/** The database of the settings, which is migrated; an embedded one is started, and stopped by `opened`. */
export async function openDatabase(
  config: Config,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<DatabaseConnection> {
  if (config.databaseUrl !== undefined) {
    const connection = parseDatabaseUrl(config.databaseUrl);
    await oneAtATime(connection, () => migrate(connection)).catch((cause: unknown) => {
      if (!isOutOfReach(cause) && !REFUSES_SESSION.test(codeOf(cause))) throw cause;
      refuse('The database of DATABASE_URL cannot be used', cause);
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

/**
 * Does what a first start makes in the database, one process after the other: processes that are started together would
 * make everything twice.
 */
export async function oneAtATime<Result>(connection: DatabaseConnection, work: () => Promise<Result>): Promise<Result> {
  const client = new Client(connection);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MAKING_LOCK]);
    return await work();
  } finally {
    await client.end();
  }
}
