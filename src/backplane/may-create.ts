import { Client } from 'pg';

import type { DatabaseConnection } from './database-connection.ts';

/** Whether the account may make schemas in its database: one that may not works with what another account has made. */
export async function mayCreate(connection: DatabaseConnection): Promise<boolean> {
  const client = new Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ may: boolean }>(
      `select has_database_privilege(current_database(), 'create') as may`,
    );
    return rows[0]?.may ?? false;
  } finally {
    await client.end();
  }
}
