import { z } from 'zod';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  readonly tls: boolean;
  /** PEM files: the server's certificate authority, and this process's own certificate and key. */
  readonly tlsFiles: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>;
  readonly prefix: string;
}

/** The end of the sentence "REDIS_URL must be ...". */
export const REDIS_URL_FORM = 'a Redis address such as `redis://user:password@host:6379/0` (`rediss:` with TLS)';

const USUAL_PORT = 6379;
const HIGHEST_DATABASE = 65_535;
const HOST = /^(\[[0-9a-f:.]+\]|[\w.-]+)$/i;
const PREFIX = /^[\w.-]{1,64}$/;
const TLS_FILES = z.partialRecord(z.enum(['ca', 'cert', 'key']), z.string().min(1));

/** Null if invalid. Names, passwords and parameters are percent-encoded. */
export function readRedisUrl(text: string): RedisAddress | null {
  const url = URL.parse(text);
  if (url === null || !/^rediss?:$/.test(url.protocol) || !HOST.test(url.hostname) || url.hash !== '') return null;
  const tls = url.protocol === 'rediss:';
  const port = url.port === '' ? USUAL_PORT : Number(url.port);
  const database = /^(?:\/(\d*))?$/.exec(url.pathname);
  const account = accountOf(url);
  const parameters = parametersOf(url.searchParams);
  if (database === null || account === null || parameters === null || port === 0) return null;
  const { prefix, tlsFiles } = parameters;
  const number = Number(database[1] ?? 0);
  if (number > HIGHEST_DATABASE || (!tls && Object.keys(tlsFiles).length > 0)) return null;
  return { host: url.hostname.replaceAll(/[[\]]/g, ''), port, ...account, database: number, tls, tlsFiles, prefix };
}

function accountOf({ username, password }: URL): Pick<RedisAddress, 'user' | 'password'> | null {
  try {
    return { user: decodeURIComponent(username) || undefined, password: decodeURIComponent(password) || undefined };
  } catch {
    return null;
  }
}

function parametersOf(query: URLSearchParams): Pick<RedisAddress, 'prefix' | 'tlsFiles'> | null {
  const { prefix = 'hourcast', ...files } = Object.fromEntries(query);
  const { data: tlsFiles } = TLS_FILES.safeParse(files);
  const isTwice = new Set(query.keys()).size < query.size;
  return isTwice || tlsFiles === undefined || !PREFIX.test(prefix) ? null : { prefix, tlsFiles };
}
