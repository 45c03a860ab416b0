import { Client } from 'pg';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { createTestDatabase } from './database.ts';
import { databaseUrl, type Settings } from './process.ts';

/** A database of the test's own for processes of the service, which goes at the end. */
export interface ProcessDatabase extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** What a process is told of it. */
  readonly settings: Settings;
  /** A connection of the test's own. */
  readonly client: Client;
}

export async function processDatabase(): Promise<ProcessDatabase> {
  const stack = new AsyncDisposableStack();
  const { connection, drop } = await createTestDatabase();
  stack.defer(drop);
  const client = new Client(connection);
  await client.connect();
  stack.defer(() => client.end());
  const settings = { DATABASE_URL: databaseUrl(connection) };
  return { connection, settings, client, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
