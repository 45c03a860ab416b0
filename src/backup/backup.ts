import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { escapeIdentifier, type Client } from 'pg';
import { to } from 'pg-copy-streams';

import type { DatabaseConnection } from '../database/connection.ts';
import { withClient } from '../database/connection.ts';
import { codeOf } from '../database/failures.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import { StartError } from '../rules/errors.ts';
import { type BackedUpTable, counted, fileOf, type Manifest, type Progress, writeManifest } from './manifest.ts';

interface BackupOptions {
  readonly version: string;
  readonly now: Date;
  readonly progress: Progress;
}

/**
 * Writes all tables into a folder, which it makes, as they were at one moment: in one transaction, beside a service that runs.
 * Throws a `StartError` where the folder is there already or the database has no rounds of this service.
 */
export async function backUp(
  connection: DatabaseConnection,
  folder: string,
  { version, now, progress }: BackupOptions,
): Promise<Manifest> {
  await mkdir(folder, { mode: 0o700 }).catch((cause: unknown) => {
    throw new StartError(`The folder ${folder} must be one that can be made (${codeOf(cause)}).`, { cause });
  });
  return withClient(connection, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const schema = await newestMigration(client);
    if (schema === null)
      throw new StartError('The database must be one that this service runs on, and has no such tables.');
    const tables: BackedUpTable[] = [];
    for (const table of await tablesOf(client)) tables.push(await copied(client, table, { folder, progress }));
    // Not part of the transaction: what they give in the meantime is given by nobody else.
    const sequences = await sequencesOf(client);
    const manifest: Manifest = { format: 1, version, schema, takenAt: now.toISOString(), tables, sequences };
    await writeManifest(folder, manifest);
    return manifest;
  });
}

/** The newest of the migrations that this version knows; null where there is none. */
export async function newestMigration(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('migrations') is not null as found");
  if (rows[0]?.found !== true) return null;
  const executed = await client.query<{ name: string }>('select name from migrations');
  const names = new Set(executed.rows.map(({ name }) => name));
  return MIGRATIONS.findLast(({ name }) => names.has(name))?.name ?? null;
}

type Table = Pick<BackedUpTable, 'name' | 'columns'>;

const TABLES = `
  select c.relname as name, (
      select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    array(
      select t.relname::text from pg_constraint k join pg_class t on t.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and t.oid <> c.oid) as after
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
  order by c.relname`;

/** Every table, those first that others refer to: rows are put back in this order. */
async function tablesOf(client: Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table & { after: string[] }>(TABLES);
  const ordered: Table[] = [];
  const waiting = new Set(rows);
  while (waiting.size > 0) {
    const ready = [...waiting].filter(({ after }) =>
      after.every((name) => [...waiting].every((one) => one.name !== name)),
    );
    if (ready.length === 0) throw new Error('Tables refer to each other in a circle');
    for (const one of ready) {
      waiting.delete(one);
      ordered.push({ name: one.name, columns: one.columns });
    }
  }
  return ordered;
}

async function copied(
  client: Client,
  { name, columns }: Table,
  { folder, progress }: { readonly folder: string; readonly progress: Progress },
): Promise<BackedUpTable> {
  const source = client.query(to(`copy ${columnsOf({ name, columns })} to stdout`));
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    source,
    counted(name, progress),
    createGzip({ level: 1 }),
    async function* hashed(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(fileOf(folder, name), { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { name, columns, rows: source.rowCount, bytes, sha256: hash.digest('hex') };
}

/** A table with the columns that are copied, as COPY takes them. */
export function columnsOf({ name, columns }: Table): string {
  return `${escapeIdentifier(name)} (${columns.map((column) => escapeIdentifier(column)).join(', ')})`;
}

async function sequencesOf(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: string }>(`
    select sequencename as name, coalesce(last_value, 0) as last from pg_sequences
    where schemaname = current_schema() and sequencename not like 'migrations%'`);
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
}
