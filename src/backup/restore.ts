import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import type { Client } from 'pg';
import { from } from 'pg-copy-streams';

import { type DatabaseConnection, withClient } from '../database/connection.ts';
import { migrate } from '../database/migrate.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import { StartError } from '../rules/errors.ts';
import type { BackupResult } from './backup.ts';
import { byteCounter, fileOf, type Manifest, type Progress, readBackup } from './manifest.ts';
import { namesOf, newestMigration, ownSequences, ownTables, tablesOfOthers } from './own-tables.ts';
import { refuseContradiction } from './sums.ts';

/**
 * The gap in ids and event numbers after a restore. Values used between the backup and the loss are not reused. A reader
 * of events that resumes from one of them gets all events since the backup.
 */
const AHEAD = 1_000_000;
/** Predictions may come at a million an hour. */
const AHEAD_OF_PREDICTIONS = 1_000_000_000_000;

const PREDICTION_IDS = 'predictions_id_seq';
/** Two restores of one backup have epochs of their own, and numbers of events unless eleven days lie between them. */
const SECONDS_SINCE_2026 = `extract(epoch from clock_timestamp() - timestamptz '2026-01-01Z')::int`;

/**
 * Restores a backup into an empty database in one transaction, and migrates the schema to this version. Throws a
 * `StartError` before any write if the backup is incomplete or inconsistent, or the database is not empty.
 */
export async function restore(
  connection: DatabaseConnection,
  folder: string,
  { checking, loading }: { readonly checking: Progress; readonly loading: Progress },
): Promise<BackupResult> {
  const manifest = await readBackup(folder, checking);
  if (placeOf(manifest.schema) === -1) {
    throw new StartError(
      `The backup must be of this version or an older one, but was made by version ${manifest.version}.`,
    );
  }
  await withClient(connection, (client) => refuseFilled(client, manifest));
  await migrate(connection, { upTo: manifest.schema });
  const leftOut = await withClient(connection, async (client) => {
    await client.query('begin');
    const skipped = await load(client, manifest, { folder, loading });
    await client.query('commit');
    await client.query('analyze');
    return skipped;
  });
  await migrate(connection);
  return { manifest, leftOut };
}

/** Empty tables of an aborted restore are accepted. */
async function refuseFilled(client: Client, { schema }: Manifest): Promise<void> {
  const others = await tablesOfOthers(client);
  const own = (await ownTables(client)).map(({ name }) => name);
  const [table] = [...others, ...own];
  if (table === undefined) return;
  const isBegun = others.length === 0 && placeOf(await newestMigration(client)) <= placeOf(schema);
  if (isBegun && (await client.query('select from platform')).rowCount === 0) return;
  throw new StartError(
    `The database must be empty for a restore, but has tables (${table}): use another database (DATABASE_URL) ` +
      'or folder (DATA_DIR).',
  );
}

/** -1 for null, and for a migration that this version does not have. */
function placeOf(migration: string | null): number {
  return MIGRATIONS.findIndex(({ name }) => name === migration);
}

async function load(
  client: Client,
  { tables, sequences }: Manifest,
  { folder, loading }: { readonly folder: string; readonly loading: Progress },
): Promise<readonly string[]> {
  const [own, ownCounters] = [await ownTables(client), await ownSequences(client)];
  const isOwn = (table: string): boolean => own.some(({ name }) => name === table);
  const loaded = tables.filter(({ name }) => isOwn(name));
  const isLogged = loaded.some(({ name }) => name === 'log_state');
  // Rows already include the effects of triggers.
  for (const { name } of loaded) await client.query(`alter table "${name}" disable trigger user`);
  // The migration inserted its row.
  if (isLogged) await client.query('delete from log_state');
  for (const table of loaded) {
    const target = client.query(from(`copy "${table.name}" (${namesOf(table)}) from stdin`));
    await pipeline(
      createReadStream(fileOf(folder, table.name)),
      byteCounter(table.name, loading),
      createGunzip(),
      target,
    );
    if (target.rowCount === table.rows) continue;
    throw new Error(`The table ${table.name} must have ${table.rows} rows (got ${target.rowCount})`);
  }
  await refuseContradiction(client, loaded);
  // It has 32 bits until a migration of 0.4.0.
  await client.query(`alter sequence ${PREDICTION_IDS} as bigint`);
  for (const [name, last] of Object.entries(sequences)) {
    if (!(name in ownCounters)) continue;
    const ahead = name === PREDICTION_IDS ? AHEAD_OF_PREDICTIONS : AHEAD;
    await client.query('select setval($1::regclass, $2)', [name, last + ahead]);
  }
  // All history is in one part, which the service cuts anew.
  if (isOwn('months')) await client.query('delete from months');
  await client.query(`update platform set last_seq = last_seq + ${AHEAD} + ${SECONDS_SINCE_2026} % ${AHEAD}`);
  // Leaves since the backup are lost: checkpoints with them contradict those from now on.
  if (isLogged) await client.query(`update log_state set epoch = greatest(epoch + 1, ${SECONDS_SINCE_2026})`);
  for (const { name } of loaded) await client.query(`alter table "${name}" enable trigger user`);
  return [...tables.map(({ name }) => name), ...Object.keys(sequences)].filter(
    (name) => !isOwn(name) && !(name in ownCounters),
  );
}
