import { type PoolConfig, TypeOverrides, types as usualParsers } from 'pg';

import { SECOND } from '../rules/hours.ts';
import type { DatabaseConnection } from './connection.ts';

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** How long one waits for a connection: to be opened, or to be given back by somebody. */
const CONNECT_MS = 3 * SECOND;
/**
 * A process that stands still inside a transaction (stopped, or its machine suspended) loses its session, and with it
 * the locks for which all others wait.
 */
const STANDSTILL_MS = 15 * SECOND;

/** What is asked for on the connections of a pool. */
export interface Session {
  /** The database stops each statement that takes longer, in real milliseconds; unset: none. */
  readonly statementMs?: number;
  /**
   * Tables are read by index alone. The plan of a named statement is kept: where it was made while a table was nearly
   * empty it would read all of the table, also when that has grown.
   */
  readonly byIndex?: boolean;
  /** Statements are sent without waiting for the answers to those before them on the same connection. */
  readonly pipelines?: boolean;
}

const BY_INDEX = { enable_seqscan: 'off' };

/**
 * What plans rest on, for each connection, whatever the server has: its default compiles statements (jit), which takes ten times as
 * long as most of them. No statement of ours runs long enough to earn that back, nor the start of a second process.
 */
export const PLANNING = { jit: 'off', max_parallel_workers_per_gather: '0' } as const;

/** What pg opens each of at most `connections` connections with. */
export function poolConfig(
  { host, port, user, password, database, ssl, fallback_application_name = '' }: DatabaseConnection,
  connections: number,
  { statementMs, byIndex = false, pipelines = false }: Session,
): PoolConfig {
  return {
    host,
    port,
    user,
    database,
    fallback_application_name,
    ...(password === undefined ? {} : { password }),
    ...(ssl === undefined ? {} : { ssl }),
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    // Where the database's machine has gone without a word, the system notices at last.
    keepAlive: true,
    pipeline: pipelines,
    types: typeParsers(),
    options: sessionOptions({
      timezone: 'UTC',
      // Statements that wait for each other go on with what the other has made, whatever the database's default is.
      default_transaction_isolation: 'read committed',
      statement_timeout: statementMs ?? 0,
      idle_in_transaction_session_timeout: STANDSTILL_MS,
      ...PLANNING,
      ...(byIndex ? BY_INDEX : {}),
    }),
  };
}

/**
 * Timestamps arrive as `Date`, whole numbers as numbers where these are exact, and all else as MikroORM expects it:
 * numerics and greater whole numbers as text, so that no digit is lost.
 */
function typeParsers(): TypeOverrides {
  const types = new TypeOverrides(usualParsers);
  types.setTypeParser(INT8, (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : text));
  types.setTypeParser(TIMESTAMPTZ, (text: string) => new Date(`${text.replace(' ', 'T')}:00`));
  return types;
}

function sessionOptions(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', String.raw`\ `)}`)
    .join(' ');
}
