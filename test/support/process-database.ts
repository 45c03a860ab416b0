import { Client } from 'pg';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { createTestDatabase } from './database.ts';
import { databaseUrl, type Settings } from './process.ts';

/** A test's database for processes of the service, removed at the end. */
export interface ProcessDatabase extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** A process's settings for it. */
  readonly settings: Settings;
  /** The test's own connection. */
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
