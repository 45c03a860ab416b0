/** A Redis that `REDIS_URL` names. */
export interface RedisAddress {
  /** One server; the nodes of a cluster; or the sentinels that know which server leads. */
  readonly kind: 'server' | 'cluster' | 'sentinel';
  readonly nodes: readonly RedisNode[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** 0 on a cluster, which has no other. */
  readonly database: number;
  /** Whether connections are encrypted, sentinels' too. */
  readonly tls: boolean;
  /** Files in PEM: who signed the server's certificate, and what this process shows of its own. */
  readonly tlsFiles: Readonly<Partial<Record<'ca' | 'cert' | 'key', string>>>;
  /** What the sentinels call the server. */
  readonly leader: string;
  readonly sentinelUser: string | undefined;
  readonly sentinelPassword: string | undefined;
  /** What the names of all keys and channels begin with. */
  readonly prefix: string;
}

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** How `REDIS_URL` is written, as the end of the sentence "REDIS_URL takes ...". */
export const REDIS_URL_FORMS =
  'a Redis address: `redis://user:password@host:6379/0` (`rediss:` with TLS), ' +
  '`redis+cluster://host:6379,host:6379` or `redis+sentinel://host:26379,host:26379/0?name=leader`';

const FORM = /^redis(s?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/(\d*))?(?:\?([^#]*))?$/;
const NODE = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const USUAL_PORTS = { server: 6379, cluster: 6379, sentinel: 26_379 };
const HIGHEST_DATABASE = 65_535;

/** What a parameter may hold. Those of TLS and of sentinels mean nothing elsewhere, and are refused there. */
const PARAMETERS = {
  prefix: { takes: /^[\w.-]{1,64}$/, where: () => true },
  ca: { takes: /./, where: ({ tls }) => tls },
  cert: { takes: /./, where: ({ tls }) => tls },
  key: { takes: /./, where: ({ tls }) => tls },
  name: { takes: /./, where: ({ kind }) => kind === 'sentinel' },
  sentinel_user: { takes: /./, where: ({ kind }) => kind === 'sentinel' },
  sentinel_password: { takes: /./, where: ({ kind }) => kind === 'sentinel' },
} as const satisfies Record<
  string,
  { readonly takes: RegExp; readonly where: (address: Pick<RedisAddress, 'kind' | 'tls'>) => boolean }
>;

type Parameters = Partial<Record<keyof typeof PARAMETERS, string>>;

/** The parts of a `REDIS_URL`, or null when it is none. Names, passwords and parameters are percent-encoded in it. */
export function readRedisUrl(url: string): RedisAddress | null {
  const found = FORM.exec(url);
  if (found === null) return null;
  const [, secure, word, account = '', hosts = '', database = '', query = ''] = found;
  const kind = word === 'cluster' || word === 'sentinel' ? word : 'server';
  const tls = secure === 's';
  const nodes = hosts.split(',').map((text) => nodeOf(text, USUAL_PORTS[kind]));
  const parameters = parametersOf(query, { kind, tls });
  const names = decoded(account);
  if (parameters === null || names === null || !nodes.every((node) => node !== null)) return null;
  if ((kind === 'server' && nodes.length > 1) || (kind === 'cluster' && Number(database) !== 0)) return null;
  if ((kind === 'sentinel' && parameters.name === undefined) || Number(database) > HIGHEST_DATABASE) return null;
  const { ca, cert, key } = parameters;
  return {
    kind,
    nodes,
    ...names,
    database: Number(database),
    tls,
    tlsFiles: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    leader: parameters.name ?? '',
    sentinelUser: parameters.sentinel_user,
    sentinelPassword: parameters.sentinel_password,
    prefix: parameters.prefix ?? 'hourcast',
  };
}

function nodeOf(text: string, usualPort: number): RedisNode | null {
  const [, host, port] = NODE.exec(text) ?? [];
  if (host === undefined) return null;
  const number = port === undefined ? usualPort : Number(port);
  return number >= 1 && number <= 65_535 ? { host: host.replaceAll(/[[\]]/g, ''), port: number } : null;
}

function decoded(account: string): Pick<RedisAddress, 'user' | 'password'> | null {
  const [user = '', ...rest] = account.split(':');
  try {
    const password = decodeURIComponent(rest.join(':'));
    return { user: decodeURIComponent(user) || undefined, password: password || undefined };
  } catch {
    return null;
  }
}

/** Null when one is unknown, given twice, out of place or not what it takes. */
function parametersOf(query: string, place: Pick<RedisAddress, 'kind' | 'tls'>): Parameters | null {
  const parameters: Parameters = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (!isParameter(name) || parameters[name] !== undefined) return null;
    const { takes, where } = PARAMETERS[name];
    if (!where(place) || !takes.test(value)) return null;
    parameters[name] = value;
  }
  return parameters;
}

function isParameter(name: string): name is keyof typeof PARAMETERS {
  return Object.hasOwn(PARAMETERS, name);
}
