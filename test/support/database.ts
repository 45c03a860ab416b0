import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

import type { DatabaseConnection } from '../../src/database/connection.ts';

export interface TestDatabase {
  readonly connection: DatabaseConnection;
  /** Closes all connections and removes the database. */
  readonly drop: () => Promise<void>;
}

/** The variable with the run's template, for jest's workers and `startTestCluster`. */
export const TEMPLATE_VARIABLE = 'HOURCAST_TEST_TEMPLATE';

const COPYING = 1;

/** A migrated, empty database (about 0.1 s). */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = offeredTemplate();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(template, async (client) => {
    // PostgreSQL refuses to copy a database with connections, and a copier counts as one for a moment.
    await client.query('select pg_advisory_lock($1)', [COPYING]);
    await client.query(`create database ${name} template ${template.database} strategy file_copy`);
  });
  return {
    connection: { ...template, database: name },
    drop: () =>
      administer(template, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

function offeredTemplate(): DatabaseConnection {
  const offered = process.env[TEMPLATE_VARIABLE];
  if (offered === undefined) throw new Error(`${TEMPLATE_VARIABLE} is unset: jest's globalSetup has not run`);
  const template: DatabaseConnection = JSON.parse(offered);
  return template;
}

async function administer(template: DatabaseConnection, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ ...template, database: 'postgres' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
