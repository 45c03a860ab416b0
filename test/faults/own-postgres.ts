import { rm } from 'node:fs/promises';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { openFolder } from '../support/data-folder.ts';
import { postmasterOf } from './postgres-processes.ts';

/** A PostgreSQL of the test's own, which no service starts again: it is down until the test brings it back. */
export interface OwnPostgres extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** Ends it without a word. */
  kill(): Promise<void>;
  /** Brings it back at the same address. */
  start(): Promise<void>;
}

/** A killed test leaves it behind; the name lets the next run clear up. */
const PREFIX = `hourcast-test-${process.pid}-`;

export async function ownPostgres(): Promise<OwnPostgres> {
  const dataDir = await openFolder(PREFIX);
  let postgres = await startEmbeddedPostgres({ dataDir });
  return {
    connection: postgres.connection,
    async kill() {
      process.kill(await postmasterOf(postgres.connection), 'SIGKILL');
      // It would come back by itself.
      await postgres.stop();
    },
    async start() {
      postgres = await startEmbeddedPostgres({ dataDir });
    },
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
