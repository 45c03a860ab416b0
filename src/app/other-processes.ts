import { Client } from 'pg';

import { CONNECT_MS, type DatabaseConnection } from '../database/connection.ts';

/** Any fixed number: it names the processes that share nothing but the database among PostgreSQL's advisory locks. */
const ALONE_LOCK = 48_612;

const TWO_ALONE =
  'Another process runs on this database, and not both have REDIS_URL: each counts limits by itself, and feeds lag by ' +
  'up to 2 s. Set REDIS_URL in all of them. Only while one process takes over from another is this as it should be.';

interface OtherProcessesOptions {
  /** Whether this process has no REDIS_URL. */
  readonly alone: boolean;
  readonly warn: (message: string) => void;
}

/**
 * Warns when a process that shares nothing but the database is not the only one. It refuses nothing: in an upgrade
 * the new process starts while the old one still runs. Returns how to end the claim.
 */
export async function warnOfOthers(
  connection: DatabaseConnection,
  { alone, warn }: OtherProcessesOptions,
): Promise<() => Promise<void>> {
  const client = new Client({ ...connection, connectionTimeoutMillis: CONNECT_MS });
  // The claim ends with its connection, and a later process is then not warned: no more is lost.
  client.on('error', () => {});
  await client.connect();
  if (alone) await client.query('select pg_advisory_lock_shared($1)', [ALONE_LOCK]);
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and objid = $1 and objsubid = 1 and granted
       and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())`,
    [ALONE_LOCK],
  );
  if (rowCount !== null && rowCount > 0) warn(TWO_ALONE);
  if (!alone) await client.end();
  return () => client.end();
}
