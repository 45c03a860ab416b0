import { type DatabaseConnection, parseDatabaseUrl } from '../database/connection.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { type Config, refuse } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { codeOf, isOutOfReach } from '../database/failures.ts';
import type { Logger } from '../logger.ts';
import { withStartLock } from '../database/start-lock.ts';

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
export function replicaOf({ databaseReadUrl }: Config): DatabaseConnection | null {
  return databaseReadUrl === undefined ? null : parseDatabaseUrl(databaseReadUrl);
}

/** The database of the settings, which is migrated; an embedded one is started, and stopped by `opened`. */
export async function openDatabase(config: Config, { log, opened, signal }: Starting): Promise<DatabaseConnection> {
  const warn = (message: string): void => log.warn(message);
  if (config.databaseUrl !== undefined) {
    const connection = parseDatabaseUrl(config.databaseUrl);
    await withStartLock({ connection, log, signal }, () => migrate(connection, { warn, signal })).catch(
      (cause: unknown) => {
        if (!isOutOfReach(cause) && !REFUSES_SESSION.test(codeOf(cause))) throw cause;
        refuse('The database of DATABASE_URL cannot be used', cause);
      },
    );
    return connection;
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    signal,
    log: (message, fields) => log.info(fields ?? {}, message),
  });
  opened.defer(() => postgres.stop());
  await migrate(postgres.connection, { warn, signal });
  return postgres.connection;
}
