import { z } from 'zod';

/** The Redis that `REDIS_URL` names. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The number of the database in it. */
  readonly database: number;
  /** Whether connections are encrypted. */
  readonly tls: boolean;
  /** Files in PEM: who signed the server's certificate, and what this process shows of its own. */
  readonly tlsFiles: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>;
  /** What the names of all keys and channels begin with. */
  readonly prefix: string;
}

/** How `REDIS_URL` is written, as the end of the sentence "REDIS_URL takes ...". */
export const REDIS_URL_FORM = 'a Redis address such as `redis://user:password@host:6379/0` (`rediss:` with TLS)';

const USUAL_PORT = 6379;
const HIGHEST_DATABASE = 65_535;
const HOST = /^(\[[0-9a-f:.]+\]|[\w.-]+)$/i;
const PREFIX = /^[\w.-]{1,64}$/;
const TLS_FILES = z.partialRecord(z.enum(['ca', 'cert', 'key']), z.string().min(1));

/** The parts of a `REDIS_URL`, or null when it is none. Names, passwords and parameters are percent-encoded in it. */
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

/** Null when one is unknown, given twice or not what it takes. */
function parametersOf(query: URLSearchParams): Pick<RedisAddress, 'prefix' | 'tlsFiles'> | null {
  const { prefix = 'hourcast', ...files } = Object.fromEntries(query);
  const { data: tlsFiles } = TLS_FILES.safeParse(files);
  const isTwice = new Set(query.keys()).size < query.size;
  return isTwice || tlsFiles === undefined || !PREFIX.test(prefix) ? null : { prefix, tlsFiles };
}
