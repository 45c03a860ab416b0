import { escapeIdentifier, type Client } from 'pg';

import { ENTITIES } from '../entities/index.ts';
import { MIGRATIONS } from '../entities/migrations/index.ts';
import type { BackedUpTable } from './manifest.ts';

export type Table = Pick<BackedUpTable, 'name' | 'columns'>;

/** Tables that migrations created and dropped. */
const DROPPED = ['board_ranks', 'board_candidates'];

/** All tables that migrations have ever created; no schema has all of them. Other tables are not part of the service. */
const OWN = [...ENTITIES.map(({ meta }) => meta.tableName), ...DROPPED];

const MIGRATIONS_TABLE = 'migrations';

const TABLES = `
  select c.relname as name, (
      select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    array(
      select t.relname::text from pg_constraint k join pg_class t on t.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and t.oid <> c.oid) as after
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname = any($1)
  order by c.relname`;

/** The service's tables, referenced ones first: rows are restored in this order. */
export async function ownTables(client: Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table & { after: string[] }>(TABLES, [OWN]);
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

/**
 * Begins a transaction with a snapshot of the own tables, and returns them. All are locked before the snapshot: a table
 * that replaces another one later, as for standings, has no rows in an older snapshot, and a migration would change
 * columns. Writers of rows are not blocked.
 */
export async function beginSnapshot(client: Client): Promise<readonly Table[]> {
  for (let known = await ownTables(client); ;) {
    await client.query('begin isolation level repeatable read read only');
    if (known.length > 0) {
      const names = known.map(({ name }) => escapeIdentifier(name)).join(', ');
      await client.query(`lock table ${names} in access share mode`);
    }
    const tables = await ownTables(client);
    if (tables.length === known.length) return tables;
    // A migration has added tables since.
    await client.query('rollback');
    known = tables;
  }
}

const OF_OWN_TABLE = `exists (
  select from pg_depend d join pg_class t on t.oid = d.refobjid
  where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.objid = c.oid
    and d.deptype in ('a', 'i') and t.relnamespace = c.relnamespace and t.relname = any($1))`;

const PART_OF_OWN_TABLE = `exists (
  select from pg_inherits i join pg_class t on t.oid = i.inhparent where i.inhrelid = c.oid and t.relname = any($1))`;

/** The last value of each sequence of an own table. */
export async function ownSequences(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select c.relname as name, coalesce(s.last_value, 0) as last
    from pg_class c join pg_sequences s on s.schemaname = current_schema() and s.sequencename = c.relname
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' and ${OF_OWN_TABLE}`,
    [OWN],
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
}

/** Names of the tables and sequences in the schema that are not part of this service. */
export async function tablesOfOthers(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'm', 'f', 'S')
      and c.relname <> all($1) and not ${OF_OWN_TABLE} and not ${PART_OF_OWN_TABLE}
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by 1`,
    [[...OWN, MIGRATIONS_TABLE]],
  );
  return rows.map(({ name }) => name);
}

/** The newest migration known to this version, or null. */
export async function newestMigration(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('${MIGRATIONS_TABLE}') is not null as found`,
  );
  if (rows[0]?.found !== true) return null;
  const executed = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE}`);
  const names = new Set(executed.rows.map(({ name }) => name));
  return MIGRATIONS.findLast(({ name }) => names.has(name))?.name ?? null;
}

/** Columns for COPY. */
export function namesOf({ columns }: Table): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ');
}
