import { userInfo } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { parse } from 'pg-connection-string';

import { SetupError } from './setup-error.ts';

/** Where a PostgreSQL database answers; pg, MikroORM and BullMQ take these names as they are. */
export interface DatabaseConnection {
  /** A name, an address, or the folder of a unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** Absent: the server decides nothing and the connection is plain. */
  readonly ssl?: boolean | ConnectionOptions;
}

const DEFAULT_PORT = 5432;

// pg reads sslmode=require as verify-full and warns on every start; operators mean what libpq means by it. `no-verify`
// is pg's own word, and a URL that chooses by itself may not be given a second choice.
const CHOOSES_ITS_OWN_SSL_RULES = /[?&](uselibpqcompat=|sslmode=no-verify)/;

/**
 * The parts of a `postgresql://` URL; what it leaves out is filled in as libpq does: this host, port 5432, the name of
 * the account, a database named after the user. `sslmode` and the `ssl...` files mean what they mean to libpq.
 * Throws a `SetupError` that does not repeat the URL, which holds a password.
 */
export function parseDatabaseUrl(url: string): DatabaseConnection {
  const parsed = parseUrl(url);
  const user = parsed.user || userInfo().username;
  const ssl = tlsOptions(parsed.ssl);
  return {
    host: parsed.host || 'localhost',
    port: parsePort(parsed.port),
    user,
    database: parsed.database || user,
    ...(parsed.password ? { password: parsed.password } : {}),
    ...(ssl === undefined ? {} : { ssl }),
  };
}

function parseUrl(url: string): ReturnType<typeof parse> {
  try {
    return parse(url, { useLibpqCompat: !CHOOSES_ITS_OWN_SSL_RULES.test(url) });
  } catch (cause) {
    throw new SetupError('The database URL must look like postgresql://user:password@host:5432/database', { cause });
  }
}

function parsePort(text: string | null | undefined): number {
  if (!text) return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SetupError(`The database URL has port "${text}"; it takes a number from 1 to 65535`);
}

type ParsedSsl = ReturnType<typeof parse>['ssl'];

function tlsOptions(ssl: ParsedSsl): DatabaseConnection['ssl'] {
  if (ssl === undefined || typeof ssl === 'boolean') return ssl;
  if (typeof ssl === 'string') throw new SetupError(`The database URL has ssl=${ssl}; it takes true or false`);
  const { cert, ...rest } = ssl;
  return cert ? { ...rest, cert } : rest;
}
