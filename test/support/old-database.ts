import { Client } from 'pg';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { openOrm } from '../../src/database/orm.ts';
import { BEFORE_FIRST_SCHEMA } from '../../src/entities/migrations/first-schema.ts';
import { MIGRATIONS } from '../../src/entities/migrations/index.ts';

const [FIRST = ''] = MIGRATIONS.map(({ name }) => name);

export const MIGRATIONS_OF_0_3_0: readonly string[] = [...BEFORE_FIRST_SCHEMA, FIRST];

/** Leaves the tables of version 0.3.0 with an agent and a round, and a list of the migrations that made them. */
export async function makeOldDatabase(connection: DatabaseConnection, executed: readonly string[]): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  const orm = await openOrm(connection, 1);
  await orm.migrator.up({ to: FIRST });
  await orm.close(true);
  await client.query(`insert into agents (name, name_key, mode, key_hash, registered_at)
    values ('Ann', 'ann', 'compete', repeat('a', 64), now())`);
  await client.query(`insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, source)
    values ('2026-11-22T10:00Z', '2026-11-22T11:00Z', 'resolving', 'direction', 'boolean', 'Up?', '["YES","NO"]', 'simulated')`);
  await client.query('delete from migrations');
  await client.query('insert into migrations (name) select unnest($1::text[])', [executed]);
  await client.end();
}
