import { escapeIdentifier, type Client } from 'pg';
import { to } from 'pg-copy-streams';

import { type DatabaseConnection, withClient } from '../database/connection.ts';
import { StartError } from '../rules/errors.ts';
import { makeFolder, writeGzipped, writeManifestFile } from '../hashed-files.ts';
import { type BackedUpTable, byteCounter, fileOf, type Manifest, type Progress } from './manifest.ts';
import { beginSnapshot, namesOf, newestMigration, ownSequences, type Table, tablesOfOthers } from './own-tables.ts';
import { refuseContradiction } from './sums.ts';

interface BackupOptions {
  readonly version: string;
  readonly now: Date;
  readonly progress: Progress;
}

/** The copied tables, and the names of foreign ones that were not copied. */
export interface BackupResult {
  readonly manifest: Manifest;
  readonly leftOut: readonly string[];
}

/**
 * Writes the service's tables into a new folder as of one moment, in one transaction beside a running service. Throws a
 * `StartError` if the folder exists, the database has no rounds of this service, or the copy is inconsistent.
 */
export async function backUp(
  connection: DatabaseConnection,
  folder: string,
  { version, now, progress }: BackupOptions,
): Promise<BackupResult> {
  return withClient(connection, async (client) => {
    const own = await beginSnapshot(client);
    const schema = await newestMigration(client);
    if (schema === null) throw new StartError('The database must be one of this service, but has none of its tables.');
    await makeFolder(folder);
    const tables: BackedUpTable[] = [];
    for (const table of own) tables.push(await copied(client, table, { folder, progress }));
    await refuseContradiction(client, tables);
    // Sequences are outside the snapshot: their values may be later than its rows, which leaves gaps only.
    const sequences = await ownSequences(client);
    const manifest: Manifest = { format: 1, version, schema, takenAt: now.toISOString(), tables, sequences };
    await writeManifestFile(folder, manifest);
    return { manifest, leftOut: await tablesOfOthers(client) };
  });
}

async function copied(
  client: Client,
  table: Table,
  { folder, progress }: { readonly folder: string; readonly progress: Progress },
): Promise<BackedUpTable> {
  const { name, columns } = table;
  const source = client.query(to(`copy (select ${namesOf(table)} from ${escapeIdentifier(name)}) to stdout`));
  const file = await writeGzipped(fileOf(folder, name), byteCounter(name, progress)(source));
  return { name, columns, rows: source.rowCount, ...file };
}
