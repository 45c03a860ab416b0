import { userInfo } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { Client, type ClientConfig } from 'pg';
import { parse } from 'pg-connection-string';

import { SECOND } from '../rules/hours.ts';
import { patchClients } from './primary.ts';
import { withTimeout } from '../deadline.ts';
import { StartError } from '../rules/errors.ts';

/** The address of a PostgreSQL database, in names that pg, MikroORM and BullMQ accept. */
export interface DatabaseConnection {
  /**
   * A name, an address, or the folder of a unix socket; several as `one:5432,two:5432`, one of which is the primary.
   */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** Absent: a plain connection. */
  readonly ssl?: boolean | ConnectionOptions;
  /** The application name, unless `PGAPPNAME` is set. */
  readonly fallback_application_name?: string;
}

/** The timeout of a connection at the start, in real milliseconds: a database may accept one and not respond. */
export const CONNECT_MS = 5 * SECOND;

/**
 * The system probes a silent connection after ten seconds, not two hours: if the machine has vanished, it ends ten seconds
 * later. A statement sent in between waits for the system's retries.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10 * SECOND };

/** The timeout of the end of a connection, in real milliseconds; a stuck one is abandoned. */
export const FAREWELL_MS = SECOND;

const DEFAULT_PORT = 5432;

// pg treats sslmode=require as verify-full and warns at each start; libpq does not. `no-verify` is pg's own value, and
// a URL that sets its own compatibility must not get another.
const CHOOSES_ITS_OWN_SSL_RULES = /[?&](uselibpqcompat=|sslmode=no-verify)/;

/** A URL with several hosts, which `URL` does not parse. */
const NAMES_SEVERAL = /^(\w+:\/\/(?:[^@/?#]*@)?)([^@/?#]*,[^@/?#]*)(.*)$/s;

/**
 * The parts of a `postgresql://` URL, with libpq's defaults: localhost, port 5432, the account's name, a database named
 * after the user. `sslmode` and the `ssl...` files mean the same as in libpq. Throws a `StartError` that does not
 * repeat the URL, which may contain a password.
 */
export function parseDatabaseUrl(url: string): DatabaseConnection {
  const [, account = '', list, rest = ''] = NAMES_SEVERAL.exec(url) ?? [];
  const parsed = parseUrl(list === undefined ? url : `${account}${rest}`);
  const user = parsed.user || userInfo().username;
  const ssl = tlsOptions(parsed.ssl);
  return {
    ...serversIn(parsed, list),
    user,
    database: parsed.database || user,
    ...(parsed.password ? { password: parsed.password } : {}),
    ...(ssl === undefined ? {} : { ssl }),
  };
}

function serversIn(parsed: ParsedUrl, list: string | undefined): Pick<DatabaseConnection, 'host' | 'port'> {
  const [port = '', ...ports] = (parsed.port ?? '').split(',');
  const hosts = (parsed.host || 'localhost').split(',');
  const servers = list
    ? list.split(',').map((text) => withPort(...(/^(.*?)(?::([^:\]]*))?$/.exec(text)?.slice(1) ?? [])))
    : hosts.map((host, index) => withPort(host, [port, ...ports][index] ?? port));
  if (servers.length === 1) return { host: hosts.join(), port: parsePort(port) };
  const attributes: unknown = Reflect.get(parsed, 'target_session_attrs') ?? 'read-write';
  if (attributes !== 'read-write' && attributes !== 'primary')
    throw new StartError(
      `The database URL must have target_session_attrs=read-write where it names several hosts (got "${String(attributes)}").`,
    );
  patchClients();
  return { host: servers.join(','), port: DEFAULT_PORT };
}

function withPort(host = '', port?: string): string {
  return `${host || 'localhost'}:${parsePort(port)}`;
}

type ParsedUrl = ReturnType<typeof parse>;

function parseUrl(url: string): ParsedUrl {
  try {
    return parse(url, { useLibpqCompat: !CHOOSES_ITS_OWN_SSL_RULES.test(url) });
  } catch (cause) {
    const form = 'postgresql://user:password@host:5432/database; percent-encode / # ? % in the password (/ is %2F)';
    throw new StartError(`The database URL must look like ${form}`, { cause });
  }
}

function parsePort(text: string | null | undefined): number {
  if (!text) return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new StartError(`The database URL must have a port from 1 to 65535 (got "${text}").`);
}

function tlsOptions(ssl: ParsedUrl['ssl']): DatabaseConnection['ssl'] {
  if (ssl === undefined || typeof ssl === 'boolean') return ssl;
  if (typeof ssl === 'string') throw new StartError(`ssl in the database URL must be true or false (got ${ssl})`);
  const { cert, ...rest } = ssl;
  return cert ? { ...rest, cert } : rest;
}

/** Formats of texts and no timeouts, independent of the defaults of the server, database and role. */
export const INDEPENDENT = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: 1,
  standard_conforming_strings: 'on',
  // Statements that waited for a lock see the other transaction's result.
  default_transaction_isolation: 'read committed',
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
  // PostgreSQL 16 and older have none.
  transaction_timeout: 0,
};

/** Sets those of a JSON object that the server knows. */
export const SET = `select set_config(key, value, false) from json_each_text($1)
  where current_setting(key, true) is not null`;

/**
 * Connects, runs `work` and always ends the connection, whose settings are `INDEPENDENT`. A query on a lost connection
 * fails. A connection times out after `CONNECT_MS`, unless `options` differ.
 */
export async function withClient<Result>(
  connection: DatabaseConnection,
  work: (client: Client) => Promise<Result>,
  options: ClientConfig = {},
): Promise<Result> {
  const client = new Client({ ...connection, ...KEEP_ALIVE, connectionTimeoutMillis: CONNECT_MS, ...options });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(SET, [JSON.stringify(INDEPENDENT)]);
    return await work(client);
  } finally {
    await withTimeout(
      FAREWELL_MS,
      client.end().catch(() => {}),
    );
  }
}

/** `INDEPENDENT` for the connections of a library, as PostgreSQL's startup parameter `options`. */
export async function independentOptions(client: Client): Promise<string> {
  const { rows } = await client.query<{ option: string }>(
    String.raw`select format('-c %s=%s', key, replace(value, ' ', '\ ')) as option from json_each_text($1)
      where current_setting(key, true) is not null`,
    [JSON.stringify(INDEPENDENT)],
  );
  return rows.map(({ option }) => option).join(' ');
}
